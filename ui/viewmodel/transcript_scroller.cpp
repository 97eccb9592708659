#include "ui/viewmodel/transcript_scroller.h"

#include "ui/viewmodel/found_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune::ui {
namespace {

constexpr double kLine = 48;

} // namespace

void TranscriptScroller::setView(QQuickItem *view)
{
    if (m_view == view)
        return;
    m_view = view;
    emit viewChanged();
}

void TranscriptScroller::setTranscript(TranscriptModel *transcript)
{
    if (m_transcript == transcript)
        return;
    if (m_transcript)
        disconnect(m_transcript, nullptr, this, nullptr);
    m_transcript = transcript;
    if (m_transcript) {
        connect(m_transcript, &TranscriptModel::replacing, this, &TranscriptScroller::holdView);
        connect(m_transcript, &TranscriptModel::replaced, this, &TranscriptScroller::follow);
        connect(m_transcript, &TranscriptModel::modelReset, this, [this] { m_anchor = {}; });
    }
    emit transcriptChanged();
}

QQuickItem *TranscriptScroller::itemOf(int row) const
{
    QQuickItem *item = nullptr;
    QMetaObject::invokeMethod(m_view, "itemAtIndex", Q_RETURN_ARG(QQuickItem *, item), Q_ARG(int, row));
    return item;
}

/// Remembers the first row in view that stays, or else the first one, and where it is.
void TranscriptScroller::holdView(int first, int removed)
{
    if (!m_view || m_view->property("following").toBool())
        return;
    constexpr double step = 8; // less than any row is high
    const double top = m_view->property("contentY").toDouble();
    m_anchor = {};
    QMetaObject::invokeMethod(m_view, "forceLayout"); // else it may still count rows as they were
    const auto stays = [first, removed](int row) { return row < first || row >= first + removed; };
    for (double y = 0; y < m_view->height() && !(m_anchor.row >= 0 && stays(m_anchor.row)); y += step) {
        int row = -1;
        QMetaObject::invokeMethod(m_view, "indexAt", Q_RETURN_ARG(int, row), Q_ARG(double, 1),
                                  Q_ARG(double, top + y));
        if (row < 0 || row >= m_transcript->count() || (m_anchor.row >= 0 && !stays(row)))
            continue;
        if (const QQuickItem *item = itemOf(row))
            m_anchor = {row, m_transcript->row(row).message, item->y() - top};
    }
}

/// Rows have other numbers now; one that was replaced is the first of its message.
void TranscriptScroller::follow(int first, int removed, int added)
{
    const auto now = [&](int row, MessageId message) {
        if (row >= first + removed)
            return row + added - removed;
        if (row < first)
            return row;
        int at = first;
        while (at + 1 < first + added && m_transcript->row(at).message < message)
            ++at;
        return at;
    };
    if (m_row >= 0)
        m_row = now(m_row, 0);
    if (m_anchor.row < 0)
        return;
    m_anchor.row = now(m_anchor.row, m_anchor.message);
    restoreView(); // at once: nothing else may scroll in between
}

/// ListView keeps its place by itself as long as something of what it shows is left; here nothing may be.
void TranscriptScroller::restoreView()
{
    const Anchor anchor = std::exchange(m_anchor, {});
    if (!m_view || anchor.row < 0 || m_view->property("following").toBool())
        return;
    QMetaObject::invokeMethod(m_view, "forceLayout");
    const QQuickItem *item = itemOf(anchor.row);
    if (!item) {
        constexpr int beginning = 0; // ListView.Beginning
        QMetaObject::invokeMethod(m_view, "positionViewAtIndex", Q_ARG(int, anchor.row),
                                  Q_ARG(int, beginning));
        item = itemOf(anchor.row);
    }
    // Whoever is scrolling goes on: the place is only set where it isn't right.
    const double wanted = item ? item->y() - anchor.y : 0;
    if (item && std::abs(wanted - m_view->property("contentY").toDouble()) > 0.5)
        m_view->setProperty("contentY", wanted);
}

bool TranscriptScroller::scrollBy(double distance)
{
    const double top = m_view->property("originY").toDouble();
    const double bottom =
        top + std::max(0.0, m_view->property("contentHeight").toDouble() - m_view->height());
    m_view->setProperty("contentY",
                        std::clamp(m_view->property("contentY").toDouble() + distance, top, bottom));
    emit moved();
    return true;
}

void TranscriptScroller::goToEnd()
{
    // The view is in the middle of laying out when it tells of a new height, and polishes before us.
    polish();
}

void TranscriptScroller::goToRow(int row)
{
    m_row = row;
    polish();
}

/// A row may be longer than the view: what was found in it comes into its middle.
void TranscriptScroller::showMark(int row)
{
    const QQuickItem *item = itemOf(row);
    const auto *found = item ? item->findChild<FoundText *>() : nullptr;
    const auto *marks = found ? qobject_cast<QQuickItem *>(found->parent()) : nullptr;
    if (!marks || found->places().isEmpty())
        return;
    const QRectF place = marks->mapRectToItem(m_view, found->places().first());
    if (place.top() < 0 || place.bottom() > m_view->height())
        scrollBy(place.center().y() - m_view->height() / 2);
}

void TranscriptScroller::updatePolish()
{
    if (const int row = std::exchange(m_row, -1); m_view && row >= 0) {
        constexpr int center = 1; // ListView.Center; the type is not for C++
        QMetaObject::invokeMethod(m_view, "positionViewAtIndex", Q_ARG(int, row), Q_ARG(int, center));
        showMark(row);
        emit arrived(row);
        emit moved();
        return;
    }
    // Whoever scrolled away since it was asked for is reading.
    if (m_view && m_view->property("following").toBool())
        QMetaObject::invokeMethod(m_view, "positionViewAtEnd");
}

bool TranscriptScroller::handleKey(int key)
{
    if (!m_view)
        return false;
    const double page = std::max(kLine, m_view->height() - kLine);
    switch (key) {
    case Qt::Key_Up: return scrollBy(-kLine);
    case Qt::Key_Down: return scrollBy(kLine);
    case Qt::Key_PageUp: return scrollBy(-page);
    case Qt::Key_PageDown: return scrollBy(page);
    // The view knows its ends better than the height that it estimates.
    case Qt::Key_Home: QMetaObject::invokeMethod(m_view, "positionViewAtBeginning"); return scrollBy(0);
    case Qt::Key_End: QMetaObject::invokeMethod(m_view, "positionViewAtEnd"); return scrollBy(0);
    default: return false;
    }
}

} // namespace perilune::ui
