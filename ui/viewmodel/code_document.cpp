#include "ui/viewmodel/code_document.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

namespace perilune::ui {

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
    for (QTextBlock block = text->findBlock(position); block.isValid() && block.position() <= position + added;
         block = block.next()) {
        if (block.textDirection() != Qt::RightToLeft)
            continue;
        QTextBlockFormat format = block.blockFormat();
        format.setLayoutDirection(Qt::LeftToRight);
        QTextCursor(block).setBlockFormat(format);
    }
    m_changing = false;
}

} // namespace perilune::ui
