#include "app/export/html_blocks.h"

#include "app/export/html.h"
#include "app/highlight/coloured_code.h"
#include "app/markdown/tree.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

using Node = MarkdownNode;

// In the order of CodeKind; short, for they come often.
constexpr std::array kCodeClasses = {"k", "t", "l", "n", "s", "c", "m", "a", "i", "d"};

/// A formula as a picture, and its LaTeX as words that aren't seen but are found, read out and copied.
std::string formulaHtml(const DrawnFormula &formula, const std::string &latex, bool display)
{
    return std::string("<span class=\"math") + (display ? " display" : "") + "\">" + svgOf(formula) +
           "<span class=\"tex\">" + htmlText(latex) + "</span></span>";
}

std::string spanHtml(const MarkdownSpan &span, const FormulaOf &formulas)
{
    if (span.formula && formulas) {
        const MarkedLatex marked = withoutMarks(span.text);
        if (const Result<DrawnFormula> formula = formulas(marked.latex, marked.display))
            return formulaHtml(*formula, span.text, false);
    }
    std::string html;
    std::string end;
    const auto tag = [&html, &end](bool wanted, const char *name) {
        if (!wanted)
            return;
        html.append("<").append(name).append(">");
        end.insert(0, std::string("</") + name + ">");
    };
    if (!span.link.empty()) {
        html += R"(<a rel="noopener noreferrer nofollow" href=")" + htmlText(span.link) + "\">";
        end = "</a>";
    }
    tag(span.bold, "strong");
    tag(span.italic, "em");
    tag(span.struck, "s");
    tag(span.code || span.formula, "code");
    std::size_t at = 0;
    for (std::size_t line = span.text.find('\n'); line != std::string::npos;
         line = span.text.find('\n', at)) {
        html += htmlText(std::string_view(span.text).substr(at, line - at)) + "<br>\n";
        at = line + 1;
    }
    return html + htmlText(std::string_view(span.text).substr(at)) + end;
}

std::string spansHtml(const std::vector<MarkdownSpan> &spans, const FormulaOf &formulas)
{
    std::string html;
    for (const MarkdownSpan &span : spans)
        html += spanHtml(span, formulas);
    return html;
}

std::string blocksHtml(const std::vector<Node> &nodes, const FormulaOf &formulas);

/// The first words in a block.
std::string wordsOf(const Node &node)
{
    std::string words = plainText(node.spans);
    for (const Node &child : node.children) {
        if (!words.empty())
            break;
        words = wordsOf(child);
    }
    return words;
}

const char *sideOf(const Node &node)
{
    return goesLeftwards(wordsOf(node)) ? " dir=\"rtl\"" : "";
}

std::string itemHtml(const Node &item, const FormulaOf &formulas)
{
    std::string html = "<li>";
    if (item.done)
        html = *item.done ? R"(<li class="task">☑ )" : R"(<li class="task">☐ )";
    // An item of one paragraph is drawn without the paragraph's distance.
    if (!item.children.empty() && item.children.front().kind == Node::Kind::Paragraph) {
        html += "<span" + htmlDirection(plainText(item.children.front().spans)) + ">" +
                spansHtml(item.children.front().spans, formulas) + "</span>";
        const std::vector<Node> rest(item.children.begin() + 1, item.children.end());
        return html + blocksHtml(rest, formulas) + "</li>\n";
    }
    return html + blocksHtml(item.children, formulas) + "</li>\n";
}

std::string listHtml(const Node &list, const FormulaOf &formulas)
{
    const char *name = list.ordered ? "ol" : "ul";
    std::string html = std::string("<") + name;
    if (list.ordered && list.number != 1)
        html += " start=\"" + std::to_string(list.number) + "\"";
    html += sideOf(list) + std::string(">\n");
    for (const Node &item : list.children)
        html += itemHtml(item, formulas);
    return html + "</" + name + ">\n";
}

std::string cellHtml(const Node &cell, const FormulaOf &formulas)
{
    const std::string name = cell.header ? "th" : "td";
    std::string html = "<" + name + htmlDirection(plainText(cell.spans));
    if (cell.align == Node::Align::Center)
        html += " class=\"center\"";
    else if (cell.align == Node::Align::End)
        html += " class=\"end\"";
    return html + ">" + spansHtml(cell.spans, formulas) + "</" + name + ">";
}

std::string tableHtml(const Node &table, const FormulaOf &formulas)
{
    std::string html = "<div class=\"table\"><table" + std::string(sideOf(table)) + ">\n";
    for (const Node &row : table.children) {
        html += "<tr>";
        for (const Node &cell : row.children)
            html += cellHtml(cell, formulas);
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string blockHtml(const Node &node, const FormulaOf &formulas)
{
    switch (node.kind) {
    case Node::Kind::Paragraph:
        return "<p" + htmlDirection(plainText(node.spans)) + ">" + spansHtml(node.spans, formulas) + "</p>\n";
    case Node::Kind::Heading: {
        // Two levels below those of the document: its title and its speakers.
        const std::string level = std::to_string(std::min(node.number + 2, 6u));
        return "<h" + level + htmlDirection(plainText(node.spans)) + ">" + spansHtml(node.spans, formulas) +
               "</h" + level + ">\n";
    }
    case Node::Kind::Code: return htmlOfCode(plainText(node.spans), node.language);
    case Node::Kind::Formula: {
        const std::string latex = plainText(node.spans);
        const Result<DrawnFormula> formula =
            formulas ? formulas(latex, true) : Result<DrawnFormula>(Error{ErrorCode::NotFound, "not drawn"});
        if (formula)
            return "<p>" + formulaHtml(*formula, "$$" + latex + "$$", true) + "</p>\n";
        return "<pre class=\"formula\">" + htmlText(latex) + "</pre>\n";
    }
    case Node::Kind::Quote:
        return "<blockquote" + std::string(sideOf(node)) + ">\n" + blocksHtml(node.children, formulas) +
               "</blockquote>\n";
    case Node::Kind::List: return listHtml(node, formulas);
    case Node::Kind::Table: return tableHtml(node, formulas);
    case Node::Kind::Rule: return "<hr>\n";
    case Node::Kind::Item:
    case Node::Kind::Row:
    case Node::Kind::Cell: return spansHtml(node.spans, formulas) + blocksHtml(node.children, formulas);
    }
    return {};
}

std::string blocksHtml(const std::vector<Node> &nodes, const FormulaOf &formulas)
{
    std::string html;
    for (const Node &node : nodes)
        html += blockHtml(node, formulas);
    return html;
}

} // namespace

std::string htmlDirection(std::string_view text)
{
    const std::string language = languageOf(text);
    return language.empty() ? " dir=\"auto\"" : " dir=\"auto\" lang=\"" + language + "\"";
}

std::string htmlOfMarkdown(std::string_view markdown, const FormulaOf &formulas)
{
    return blocksHtml(markdownTree(cleanText(markdown)), formulas);
}

std::string htmlOfCode(std::string_view code, std::string_view language)
{
    const std::string clean = cleanText(code);
    std::string html = "<pre dir=\"ltr\"><code>";
    const std::vector<std::vector<ColouredPiece>> lines = colouredLines(clean, language);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        html += i == 0 ? "" : "\n";
        for (const ColouredPiece &piece : lines[i]) {
            if (piece.kind)
                html += std::string("<i class=\"") + kCodeClasses[static_cast<std::size_t>(*piece.kind)] +
                        "\">" + htmlText(piece.text) + "</i>";
            else
                html += htmlText(piece.text);
        }
    }
    return html + "</code></pre>\n";
}

std::string htmlOfPlainText(std::string_view text)
{
    const std::string clean = cleanText(text);
    return "<p class=\"plain\"" + htmlDirection(clean) + ">" + htmlText(clean) + "</p>\n";
}

} // namespace perilune
