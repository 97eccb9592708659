#include "ui/viewmodel/rich_text.h"

#include "app/markdown/inline_math.h"
#include "ui/viewmodel/formula_text.h"

#include <QUrl>

#include <md4c.h>

namespace perilune::ui {
namespace {

QString fromUtf8(const MD_CHAR *text, MD_SIZE size)
{
    return QString::fromUtf8(text, static_cast<qsizetype>(size));
}

/// Receives md4c's events and builds the blocks. A tag is only ever written by this class, never taken over.
class Writer {
public:
    /// `source` is the Markdown before its formulas were set aside.
    Writer(std::string_view source, const SetAside &aside)
        : m_source(source),
          m_aside(aside),
          m_mark(QString::fromStdString(aside.mark))
    {
    }

    std::vector<DrawnBlock> take() { return std::move(m_blocks); }

    void enterBlock(MD_BLOCKTYPE type, void *detail);
    void leaveBlock(MD_BLOCKTYPE type, void *detail);
    void enterSpan(MD_SPANTYPE type, void *detail);
    void leaveSpan(MD_SPANTYPE type);
    void text(MD_TEXTTYPE type, const QString &text);

private:
    void beginTopLevel(MD_BLOCKTYPE type, void *detail);
    void openTag(MD_BLOCKTYPE type, void *detail);
    void enterLink(const QString &target);
    QString &out() { return m_blocks.back().text; }
    bool inPlainCode() const { return m_blocks.back().kind == DrawnBlock::Kind::Code; }
    QString fromAttribute(const MD_ATTRIBUTE &attribute) const;
    const InlineFormula *formulaAt(const QString &number) const;
    QString sourceAt(const QString &number) const;
    QString withSource(const QString &text) const;
    void words(MD_TEXTTYPE type, const QString &text);

    std::string_view m_source;
    const SetAside &m_aside;
    QString m_mark;
    std::vector<DrawnBlock> m_blocks;
    QString m_plain;               ///< of the top-level block, for its direction
    std::vector<bool> m_linkStack; ///< whether each open link or picture wrote a tag
    int m_depth = 0;               ///< 0 outside the document's blocks
};

const InlineFormula *Writer::formulaAt(const QString &number) const
{
    bool known = false;
    const std::size_t index = number.toUInt(&known);
    return known && index < m_aside.formulas.size() ? &m_aside.formulas[index] : nullptr;
}

QString Writer::sourceAt(const QString &number) const
{
    const InlineFormula *formula = formulaAt(number);
    if (!formula)
        return number;
    const std::string_view source = m_source.substr(formula->begin, formula->end - formula->begin);
    return QString::fromUtf8(source.data(), static_cast<qsizetype>(source.size()));
}

/// `text` with the formulas as they were written, for where there is none: code and addresses.
QString Writer::withSource(const QString &text) const
{
    if (m_mark.isEmpty() || !text.contains(m_mark))
        return text;
    QString whole;
    const QStringList pieces = text.split(m_mark); // words, number, words, …
    for (qsizetype i = 0; i < pieces.size(); ++i)
        whole += i % 2 == 0 ? pieces[i] : sourceAt(pieces[i]);
    return whole;
}

QString Writer::fromAttribute(const MD_ATTRIBUTE &attribute) const
{
    return attribute.text ? withSource(fromUtf8(attribute.text, attribute.size)) : QString();
}

void Writer::beginTopLevel(MD_BLOCKTYPE type, void *detail)
{
    DrawnBlock block;
    if (type == MD_BLOCK_CODE) {
        block.kind = DrawnBlock::Kind::Code;
        block.language = fromAttribute(static_cast<MD_BLOCK_CODE_DETAIL *>(detail)->lang);
    } else if (type == MD_BLOCK_TABLE) {
        block.kind = DrawnBlock::Kind::Table;
        block.columns = static_cast<int>(static_cast<MD_BLOCK_TABLE_DETAIL *>(detail)->col_count);
    } else if (type == MD_BLOCK_QUOTE) {
        block.kind = DrawnBlock::Kind::Quote;
    } else if (type == MD_BLOCK_HR) {
        block.kind = DrawnBlock::Kind::Rule;
    }
    m_blocks.push_back(std::move(block));
    m_plain.clear();
}

QString alignment(void *detail)
{
    switch (static_cast<MD_BLOCK_TD_DETAIL *>(detail)->align) {
    case MD_ALIGN_CENTER: return QStringLiteral(" align=\"center\"");
    case MD_ALIGN_RIGHT: return QStringLiteral(" align=\"right\"");
    default: return QStringLiteral(" align=\"left\"");
    }
}

QString listItemTag(void *detail)
{
    const auto *item = static_cast<MD_BLOCK_LI_DETAIL *>(detail);
    if (!item->is_task)
        return QStringLiteral("<li>");
    return item->task_mark == ' ' ? QStringLiteral("<li class=\"unchecked\">")
                                  : QStringLiteral("<li class=\"checked\">");
}

void Writer::openTag(MD_BLOCKTYPE type, void *detail)
{
    switch (type) {
    case MD_BLOCK_QUOTE: out() += m_depth == 1 ? "" : "<blockquote>"; break;
    case MD_BLOCK_UL: out() += "<ul>"; break;
    case MD_BLOCK_OL:
        out() += QStringLiteral("<ol start=\"%1\">").arg(static_cast<MD_BLOCK_OL_DETAIL *>(detail)->start);
        break;
    case MD_BLOCK_LI: out() += listItemTag(detail); break;
    case MD_BLOCK_H:
        out() += QStringLiteral("<h%1>").arg(static_cast<MD_BLOCK_H_DETAIL *>(detail)->level);
        break;
    case MD_BLOCK_CODE: out() += inPlainCode() ? "" : "<pre>"; break;
    case MD_BLOCK_P: out() += "<p>"; break;
    case MD_BLOCK_TABLE: out() += "<table border=\"1\" cellspacing=\"0\" cellpadding=\"7\">"; break;
    case MD_BLOCK_TR: out() += "<tr>"; break;
    case MD_BLOCK_TH: out() += "<th" + alignment(detail) + ">"; break;
    case MD_BLOCK_TD: out() += "<td" + alignment(detail) + ">"; break;
    default: break;
    }
}

void Writer::enterBlock(MD_BLOCKTYPE type, void *detail)
{
    if (type == MD_BLOCK_DOC)
        return;
    if (m_depth++ == 0)
        beginTopLevel(type, detail);
    openTag(type, detail);
}

void Writer::leaveBlock(MD_BLOCKTYPE type, void *detail)
{
    if (type == MD_BLOCK_DOC)
        return;
    switch (type) {
    case MD_BLOCK_QUOTE: out() += m_depth == 1 ? "" : "</blockquote>"; break;
    case MD_BLOCK_UL: out() += "</ul>"; break;
    case MD_BLOCK_OL: out() += "</ol>"; break;
    case MD_BLOCK_LI: out() += "</li>"; break;
    case MD_BLOCK_H:
        out() += QStringLiteral("</h%1>").arg(static_cast<MD_BLOCK_H_DETAIL *>(detail)->level);
        break;
    case MD_BLOCK_CODE: out() += inPlainCode() ? "" : "</pre>"; break;
    case MD_BLOCK_P: out() += "</p>"; break;
    case MD_BLOCK_TABLE: out() += "</table>"; break;
    case MD_BLOCK_TR: out() += "</tr>"; break;
    case MD_BLOCK_TH: out() += "</th>"; break;
    case MD_BLOCK_TD: out() += "</td>"; break;
    default: break;
    }
    if (--m_depth > 0)
        return;

    DrawnBlock &done = m_blocks.back();
    if (done.kind == DrawnBlock::Kind::Code) {
        if (done.text.endsWith('\n'))
            done.text.chop(1);
        return;
    }
    done.rightToLeft = m_plain.isRightToLeft();
    if (done.rightToLeft)
        done.text = "<div dir=\"rtl\">" + done.text + "</div>";
}

void Writer::enterLink(const QString &target)
{
    const bool safe = isSafeLink(target);
    m_linkStack.push_back(safe);
    if (safe)
        out() += "<a href=\"" + target.toHtmlEscaped() + "\">";
}

void Writer::enterSpan(MD_SPANTYPE type, void *detail)
{
    switch (type) {
    case MD_SPAN_EM: out() += "<i>"; break;
    case MD_SPAN_STRONG: out() += "<b>"; break;
    case MD_SPAN_DEL: out() += "<s>"; break;
    case MD_SPAN_U: out() += "<u>"; break;
    case MD_SPAN_CODE: out() += "<code>"; break;
    case MD_SPAN_A: enterLink(fromAttribute(static_cast<MD_SPAN_A_DETAIL *>(detail)->href)); break;
    case MD_SPAN_IMG: enterLink(fromAttribute(static_cast<MD_SPAN_IMG_DETAIL *>(detail)->src)); break;
    default: break;
    }
}

void Writer::leaveSpan(MD_SPANTYPE type)
{
    switch (type) {
    case MD_SPAN_EM: out() += "</i>"; break;
    case MD_SPAN_STRONG: out() += "</b>"; break;
    case MD_SPAN_DEL: out() += "</s>"; break;
    case MD_SPAN_U: out() += "</u>"; break;
    case MD_SPAN_CODE: out() += "</code>"; break;
    case MD_SPAN_A:
    case MD_SPAN_IMG:
        out() += m_linkStack.back() ? "</a>" : "";
        m_linkStack.pop_back();
        break;
    default: break;
    }
}

void Writer::text(MD_TEXTTYPE type, const QString &text)
{
    if (inPlainCode() || type == MD_TEXT_CODE) {
        words(type, withSource(text));
        return;
    }
    if (m_mark.isEmpty() || !text.contains(m_mark)) {
        words(type, text);
        return;
    }
    const QStringList pieces = text.split(m_mark); // words, number, words, …
    for (qsizetype i = 0; i < pieces.size(); ++i) {
        if (i % 2 == 0) {
            words(type, pieces[i]);
            continue;
        }
        if (const InlineFormula *formula = formulaAt(pieces[i]))
            out() += formulaTag(QString::fromStdString(formula->latex), formula->display);
    }
}

void Writer::words(MD_TEXTTYPE type, const QString &text)
{
    if (inPlainCode()) {
        out() += text;
        return;
    }
    switch (type) {
    case MD_TEXT_NULLCHAR: out() += QChar(QChar::ReplacementCharacter); return;
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR: out() += "<br/>"; return; // a model that ends a line means it
    case MD_TEXT_ENTITY: out() += text; return;    // md4c has checked its form: "&" name-or-number ";"
    case MD_TEXT_CODE:
        // In a <pre> the line ends count; in a code span md4c has made them spaces.
        out() += text.toHtmlEscaped();
        return;
    default: out() += text.toHtmlEscaped(); break;
    }
    if (m_plain.size() < 1000) // the first strong character comes early or not at all
        m_plain += text;
}

MD_PARSER parser()
{
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void *detail, void *writer) {
        static_cast<Writer *>(writer)->enterBlock(type, detail);
        return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void *detail, void *writer) {
        static_cast<Writer *>(writer)->leaveBlock(type, detail);
        return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void *detail, void *writer) {
        static_cast<Writer *>(writer)->enterSpan(type, detail);
        return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void *, void *writer) {
        static_cast<Writer *>(writer)->leaveSpan(type);
        return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *writer) {
        static_cast<Writer *>(writer)->text(type, fromUtf8(text, size));
        return 0;
    };
    return parser;
}

} // namespace

std::vector<DrawnBlock> drawMarkdown(std::string_view markdown)
{
    const SetAside aside = setFormulasAside(markdown);
    Writer writer(markdown, aside);
    const MD_PARSER rules = parser();
    md_parse(aside.markdown.data(), static_cast<MD_SIZE>(aside.markdown.size()), &rules, &writer);
    return writer.take();
}

bool isSafeLink(const QString &url)
{
    const QString scheme = QUrl(url).scheme().toLower();
    return scheme == u"http" || scheme == u"https" || scheme == u"mailto";
}

} // namespace perilune::ui
