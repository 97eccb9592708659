#include "ui/viewmodel/transcript_scroller.h"

#include <algorithm>
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

void TranscriptScroller::updatePolish()
{
    if (const int row = std::exchange(m_row, -1); m_view && row >= 0) {
        constexpr int center = 1; // ListView.Center; the type is not for C++
        QMetaObject::invokeMethod(m_view, "positionViewAtIndex", Q_ARG(int, row), Q_ARG(int, center));
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
