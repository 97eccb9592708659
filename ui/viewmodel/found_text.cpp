#include "ui/viewmodel/found_text.h"

#include "app/store/search_text.h"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>
#include <string>
#include <vector>

namespace perilune::ui {
namespace {

constexpr qsizetype kMostPlaces = 500; // more are not looked at one by one

/// How many UTF-16 units the first `bytes` bytes are.
int unitsOf(const std::string &text, std::size_t bytes)
{
    return static_cast<int>(QString::fromUtf8(text.data(), static_cast<qsizetype>(bytes)).size());
}

void addPlaces(const QTextBlock &block, const std::vector<std::string> &terms, QList<QRectF> &places)
{
    const std::string text = block.text().toStdString();
    const std::vector<ByteRange> ranges = findTerms(text, terms);
    if (ranges.empty())
        return;
    const QPointF corner = block.document()->documentLayout()->blockBoundingRect(block).topLeft();
    const QTextLayout *layout = block.layout();
    for (const ByteRange &range : ranges) {
        const int from = unitsOf(text, range.first);
        const int to = unitsOf(text, range.second);
        for (int number = 0; number < layout->lineCount() && places.size() < kMostPlaces; ++number) {
            const QTextLine line = layout->lineAt(number);
            const int begin = std::max(from, line.textStart());
            const int end = std::min(to, line.textStart() + line.textLength());
            if (begin >= end)
                continue;
            const double one = line.cursorToX(begin);
            const double other = line.cursorToX(end); // to the left of it, where the text runs that way
            places += QRectF(std::min(one, other), line.y(), std::abs(other - one), line.height())
                          .translated(corner);
        }
    }
}

} // namespace

void FoundText::setDocument(QQuickTextDocument *document)
{
    if (m_document == document)
        return;
    if (m_document)
        disconnect(m_document->textDocument(), nullptr, this, nullptr);
    m_document = document;
    if (m_document)
        connect(m_document->textDocument(), &QTextDocument::contentsChanged, this, &FoundText::update);
    emit documentChanged();
    update();
}

void FoundText::setWords(const QString &words)
{
    if (m_words == words)
        return;
    m_words = words;
    emit wordsChanged();
    update();
}

void FoundText::setRoom(const QSizeF &room)
{
    if (m_room == room)
        return;
    m_room = room;
    emit roomChanged();
    update();
}

void FoundText::update()
{
    QList<QRectF> places;
    const std::vector<std::string> terms = searchTerms(m_words.toStdString());
    if (m_document && !terms.empty()) {
        const QTextDocument *document = m_document->textDocument();
        for (QTextBlock block = document->begin(); block.isValid() && places.size() < kMostPlaces;
             block = block.next())
            addPlaces(block, terms, places);
    }
    if (places == m_places)
        return;
    m_places = std::move(places);
    emit placesChanged();
}

} // namespace perilune::ui
