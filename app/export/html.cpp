#include "app/export/html.h"

#include "app/export/html_blocks.h"
#include "app/export/json.h"

namespace perilune {

namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Perilune">
<style>
:root { color-scheme: light dark; --text: #1d1f24; --muted: #666b75; --line: #d9dbe1; --sunken: #f4f5f7; --bubble: #eef0fb;
  --accent: #4453c4; --bad: #b3261e;
  --k: #8430a8; --t: #0b6e82; --l: #a84a00; --s: #2f7014; --c: #6a6e77; --m: #8a5a00; --a: #2b57b8; --i: #1c7a41; --d: #b3261e; }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e4e6eb; --muted: #9a9fa9; --line: #3a3d45; --sunken: #202228;
  --bubble: #2a2d3d; --accent: #9aa6ff; --bad: #ff9a8f;
  --k: #c792ea; --t: #7fc8d8; --l: #f2a872; --s: #a5cf8a; --c: #8b8f99; --m: #e5b567; --a: #8fb4f5; --i: #8fd19e; --d: #ff9a8f; } }
body { font: 16px/1.55 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--text); max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: .95rem; margin: 0 0 .4rem; color: var(--muted); }
h2 time { font-weight: normal; margin-inline-start: .5rem; }
h3, h4, h5, h6 { font-size: 1.1rem; line-height: 1.3; margin: 1.2rem 0 .4rem; }
h3 { font-size: 1.3rem; } h5, h6 { font-size: 1rem; }
.about, .note, .stats { color: var(--muted); font-size: .85rem; }
article { margin: 1.6rem 0; }
article.user > .body { background: var(--bubble); border-radius: .8rem; padding: .1rem 1rem; }
.section { border-top: 2px solid var(--line); margin-top: 2.5rem; padding-top: 1rem; font-size: 1.15rem; font-weight: 600; }
.plain { white-space: pre-wrap; }
p, ul, ol, pre, blockquote, .table { margin: .7rem 0; }
ul, ol { padding-inline-start: 1.7rem; } li { margin: .2rem 0; } li.task { list-style: none; margin-inline-start: -1.3rem; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; white-space: pre-wrap;
  font-size: .85rem; line-height: 1.45; text-align: left; tab-size: 4; }
code, pre { font-family: ui-monospace, "Noto Sans Mono", "DejaVu Sans Mono", monospace; }
:not(pre) > code { background: var(--sunken); border-radius: .25rem; padding: .08rem .3rem; font-size: .9em; }
pre i { font-style: normal; }
.k { color: var(--k); } .t { color: var(--t); } .l, .n { color: var(--l); } .s { color: var(--s); } .c { color: var(--c); }
.m { color: var(--m); } .a { color: var(--a); } .i { color: var(--i); } .d { color: var(--d); }
blockquote, details { border-inline-start: 3px solid var(--line); margin-inline: 0; padding-inline-start: .9rem; color: var(--muted); }
details { margin: .7rem 0; } summary { cursor: pointer; font-size: .85rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .92em; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: start; vertical-align: top; overflow-wrap: break-word; }
th { background: var(--sunken); } .center { text-align: center; } .end { text-align: end; }
.math { position: relative; } .math.display { display: block; text-align: center; overflow-x: auto; overflow-y: hidden; padding: .3em 0; }
.tex { position: absolute; left: 0; bottom: 0; width: 100%; height: 1em; overflow: hidden; white-space: nowrap; color: transparent; font-size: .7em; user-select: all; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.2rem 0; }
a { color: var(--accent); }
figure { margin: .7rem 0; } figure img { max-width: 100%; max-height: 32rem; height: auto; border-radius: .5rem; }
figcaption { color: var(--muted); font-size: .85rem; }
.bad { color: var(--bad); }
@page { margin: 18mm 16mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 10.5pt; } .table { overflow: visible; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; } figure, tr { break-inside: avoid; } p { orphans: 2; widows: 2; }
  figure img { max-height: 16cm; } .math.display { overflow: visible; } .math.display svg { max-width: 100%; } article.user > .body { border: 1px solid var(--line); } }
</style>
)";

const char *className(Role role)
{
    switch (role) {
    case Role::System: return "system";
    case Role::User: return "user";
    case Role::Assistant: return "assistant";
    case Role::Tool: return "tool";
    case Role::Other: break;
    }
    return "other";
}

std::string dayAndTime(std::int64_t ms)
{
    std::string time = isoTime(ms).substr(0, 16);
    time[10] = ' ';
    return time;
}

/// Can be folded away, but isn't: what is folded away doesn't print.
std::string foldable(const std::string &summary, const std::string &body)
{
    return "<details open><summary>" + summary + "</summary>\n" + body + "</details>\n";
}

std::string mediaHtml(const MediaPart &media, const PictureOf &picture)
{
    const std::string name = htmlText(cleanText(nameOf(media)));
    const Result<EmbeddedPicture> embedded =
        picture ? picture(media) : Result<EmbeddedPicture>(Error{ErrorCode::NotFound, "not embedded"});
    if (!embedded)
        return "<p class=\"note\">" + name + " <span class=\"bad\">(" +
               htmlText(cleanText(embedded.error().message)) + ")</span></p>\n";
    const bool clip = media.kind == MediaPart::Kind::Video;
    return "<figure><img alt=\"" + name + "\" width=\"" + std::to_string(embedded->width) + "\" height=\"" +
           std::to_string(embedded->height) + "\" src=\"data:image/jpeg;base64," + toBase64(embedded->jpeg) +
           "\"><figcaption>" + (clip ? "First picture of the clip " : "") + name + "</figcaption></figure>\n";
}

std::string partHtml(const Part &part, Role role, const Drawings &drawings)
{
    if (const auto *text = std::get_if<TextPart>(&part)) {
        if (role == Role::Tool)
            return foldable("Result", htmlOfCode(text->text, ""));
        return role == Role::Assistant ? htmlOfMarkdown(text->text, drawings.formula)
                                       : htmlOfPlainText(text->text);
    }
    if (const auto *thinking = std::get_if<ThinkingPart>(&part))
        return foldable("Thinking", htmlOfMarkdown(thinking->text, drawings.formula));
    if (const auto *call = std::get_if<ToolCallPart>(&part))
        return "<p class=\"note\">Called <code>" + htmlText(cleanText(call->name)) + "</code></p>\n" +
               htmlOfCode(call->argumentsJson, "json");
    return mediaHtml(std::get<MediaPart>(part), drawings.picture);
}

std::string messageHtml(const StoredMessage &message, const Drawings &drawings, bool statistics)
{
    std::string html = std::string("<article class=\"") + className(message.message.role) + "\">\n<h2>" +
                       htmlText(cleanText(speakerOf(message)));
    if (message.createdMs != 0)
        html += "<time datetime=\"" + isoTime(message.createdMs) + "\">" + dayAndTime(message.createdMs) +
                "</time>";
    html += "</h2>\n<div class=\"body\">\n";
    for (const Part &part : message.message.parts)
        html += partHtml(part, message.message.role, drawings);
    html += "</div>\n";
    if (const std::string note = noteOf(message); !note.empty())
        html += "<p class=\"note bad\">" + htmlText(cleanText(note)) + "</p>\n";
    if (statistics && message.stats)
        html += "<p class=\"stats\">" + htmlText(cleanText(statisticsOf(*message.stats))) + "</p>\n";
    return html + "</article>\n";
}

std::string headHtml(const ExportedChat &chat)
{
    const StoredConversation &conversation = chat.conversation;
    const std::string title = htmlText(cleanText(titleOf(conversation)));
    std::string html(kHead);
    html += "<title>" + title + "</title>\n</head>\n<body>\n<h1 dir=\"auto\">" + title + "</h1>\n";
    if (conversation.row.createdMs != 0)
        html += "<p class=\"about\">" + dayAndTime(conversation.row.createdMs) + " UTC</p>\n";
    if (!conversation.systemPrompt.empty())
        html += "<article class=\"system\"><h2>System</h2>\n<div class=\"body\">" +
                htmlOfPlainText(conversation.systemPrompt) + "</div></article>\n";
    return html;
}

} // namespace

std::string htmlText(std::string_view text)
{
    std::string html;
    html.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&': html += "&amp;"; break;
        case '<': html += "&lt;"; break;
        case '>': html += "&gt;"; break;
        case '"': html += "&quot;"; break;
        case '\'': html += "&#39;"; break;
        default: html += c;
        }
    }
    return html;
}

Status writeHtml(const ExportedChat &chat, const Drawings &drawings, const ExportTarget &target)
{
    if (Status written = target.write(headHtml(chat)); !written)
        return written;
    const Status written = walkSections(
        chat, target,
        {.heading =
             [&](const std::string &heading) {
                 return target.write("<div class=\"section\" dir=\"auto\">" + htmlText(heading) + "</div>\n");
             },
         .message =
             [&](const StoredMessage &message) {
                 return target.write(messageHtml(message, drawings, chat.choices.statistics));
             }});
    if (!written)
        return written;
    return target.write("</body>\n</html>\n");
}

} // namespace perilune
