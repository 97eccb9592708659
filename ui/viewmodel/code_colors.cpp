#include "ui/viewmodel/code_colors.h"

#include "app/highlight/code_lexer.h"

#include <QSyntaxHighlighter>
#include <QTextDocument>

#include <algorithm>
#include <utility>
#include <vector>

namespace perilune::ui {

namespace {

// A line of megabytes (a file without line ends) is left plain: it would hold the window for longer than a
// frame.
constexpr qsizetype kLongestLine = 20000;

} // namespace

class CodeColors::Highlighter : public QSyntaxHighlighter {
public:
    Highlighter(QTextDocument *document, const Language &language, const QList<QColor> &palette)
        : QSyntaxHighlighter(static_cast<QObject *>(nullptr)), // else the document would delete it, too
          m_language(language),
          m_palette(palette)
    {
        setDocument(document);
    }

protected:
    void highlightBlock(const QString &text) override
    {
        m_spans.clear();
        if (text.size() <= kLongestLine)
            setCurrentBlockState(lexLine(
                m_language, {reinterpret_cast<const char16_t *>(text.utf16()), std::size_t(text.size())},
                std::max(previousBlockState(), 0), m_spans));
        for (const CodeSpan &span : m_spans) {
            const auto kind = static_cast<qsizetype>(span.kind);
            if (kind < m_palette.size())
                setFormat(static_cast<int>(span.begin), static_cast<int>(span.length), m_palette[kind]);
        }
    }

private:
    const Language &m_language;
    QList<QColor> m_palette;
    std::vector<CodeSpan> m_spans;
};

CodeColors::CodeColors(QObject *parent) : QObject(parent) {}

CodeColors::~CodeColors() = default;

void CodeColors::setDocument(QQuickTextDocument *document)
{
    if (m_document == document)
        return;
    m_document = document;
    update();
}

void CodeColors::setLanguage(const QString &language)
{
    if (m_language == language)
        return;
    m_language = language;
    update();
}

void CodeColors::setPalette(const QList<QColor> &palette)
{
    if (m_palette == palette)
        return;
    m_palette = palette;
    update();
}

void CodeColors::update()
{
    const QByteArray name = m_language.section(' ', 0, 0).toUtf8();
    const Language *language = findLanguage({name.data(), std::size_t(name.size())});
    m_highlighter.reset();
    if (m_document && language && !m_palette.isEmpty())
        m_highlighter = std::make_unique<Highlighter>(m_document->textDocument(), *language, m_palette);
    emit changed();
}

} // namespace perilune::ui
