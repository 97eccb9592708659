#pragma once

#include <QObject>
#include <QPointer>
#include <QQmlEngine>
#include <QQuickItem>

namespace perilune::ui {

/// Scrolls a ListView by keys, as people know it from documents.
class TranscriptScroller : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickItem *view READ view WRITE setView NOTIFY viewChanged)

public:
    using QObject::QObject;

    QQuickItem *view() const { return m_view; }
    void setView(QQuickItem *view);

    /// Arrows, Page Up and Down, Home and End. False for any other key.
    Q_INVOKABLE bool handleKey(int key);
    /// Goes to the end once the event in hand is dealt with; many calls before that are one.
    Q_INVOKABLE void goToEnd();

signals:
    void viewChanged();
    void moved();

private:
    bool scrollBy(double distance);

    QPointer<QQuickItem> m_view;
    bool m_going = false;
};

} // namespace perilune::ui
