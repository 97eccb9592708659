#pragma once

#include <QPointer>
#include <QQmlEngine>
#include <QQuickItem>

namespace perilune::ui {

/// Scrolls a ListView by keys, as people know it from documents, and to its end without a frame in between.
class TranscriptScroller : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickItem *view READ view WRITE setView NOTIFY viewChanged)

public:
    using QQuickItem::QQuickItem;

    QQuickItem *view() const { return m_view; }
    void setView(QQuickItem *view);

    /// Arrows, Page Up and Down, Home and End. False for any other key.
    Q_INVOKABLE bool handleKey(int key);
    /// Goes to the end before the next frame is drawn, if the view's `following` is still set by then; many
    /// calls before that are one.
    Q_INVOKABLE void goToEnd();
    /// Puts a row into the upper part of the view before the next frame is drawn.
    Q_INVOKABLE void goToRow(int row);

protected:
    void updatePolish() override;

signals:
    void viewChanged();
    void moved();

private:
    bool scrollBy(double distance);

    QPointer<QQuickItem> m_view;
    int m_row = -1; ///< to go to; -1: none
};

} // namespace perilune::ui
