#pragma once

#include "ui/viewmodel/transcript_model.h"

#include <QPointer>
#include <QQmlEngine>
#include <QQuickItem>

namespace perilune::ui {

/// Scrolls a ListView by keys, as people know it from documents, and to its end without a frame in between.
class TranscriptScroller : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickItem *view READ view WRITE setView NOTIFY viewChanged)
    Q_PROPERTY(perilune::ui::TranscriptModel *transcript READ transcript WRITE setTranscript NOTIFY
                   transcriptChanged)

public:
    using QQuickItem::QQuickItem;

    QQuickItem *view() const { return m_view; }
    void setView(QQuickItem *view);
    /// What the view shows: where rows of it are read or forgotten, what is in view stays where it is.
    TranscriptModel *transcript() const { return m_transcript; }
    void setTranscript(TranscriptModel *transcript);

    /// Arrows, Page Up and Down, Home and End. False for any other key.
    Q_INVOKABLE bool handleKey(int key);
    /// Goes to the end before the next frame is drawn, if the view's `following` is still set by then; many
    /// calls before that are one.
    Q_INVOKABLE void goToEnd();
    /// Puts a row into the middle of the view before the next frame is drawn; what is marked in it, where
    /// something is.
    Q_INVOKABLE void goToRow(int row);

protected:
    void updatePolish() override;

signals:
    void viewChanged();
    void transcriptChanged();
    void moved();
    /// goToRow() is done.
    void arrived(int row);

private:
    bool scrollBy(double distance);
    void showMark(int row);

    QQuickItem *itemOf(int row) const;
    void holdView(int first, int removed);
    void follow(int first, int removed, int added);
    void restoreView();

    /// A row that is to stay where it is; row -1: none.
    struct Anchor {
        int row = -1;
        MessageId message = 0;
        double y = 0; ///< below the top of the view
    };

    QPointer<QQuickItem> m_view;
    QPointer<TranscriptModel> m_transcript;
    Anchor m_anchor;
    int m_row = -1; ///< to go to; -1: none
};

} // namespace perilune::ui
