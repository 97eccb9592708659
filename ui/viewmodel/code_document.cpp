#include "ui/viewmodel/code_document.h"

#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace perilune::ui {
namespace {

constexpr double kLineHeight = 122; // percent

} // namespace

void CodeDocument::setDocument(QQuickTextDocument *document)
{
    if (m_document == document)
        return;
    if (m_document)
        disconnect(m_document->textDocument(), nullptr, this, nullptr);
    m_document = document;
    if (m_document) {
        QTextDocument *text = m_document->textDocument();
        connect(text, &QTextDocument::contentsChange, this,
                [this](int position, int, int added) { straighten(position, added); });
        straighten(0, text->characterCount());
    }
    emit documentChanged();
}

void CodeDocument::straighten(int position, int added)
{
    if (m_changing)
        return;
    m_changing = true; // a change of format is a change of contents, too
    QTextDocument *text = m_document->textDocument();
    QTextCursor cursor(text);
    cursor.setPosition(position);
    cursor.setPosition(std::min(position + added, text->characterCount() - 1), QTextCursor::KeepAnchor);
    QTextBlockFormat format;
    format.setLayoutDirection(Qt::LeftToRight);
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(format);
    m_changing = false;
}

} // namespace perilune::ui
