#include "app/pdf/pdf.h"

#include "app/export/json.h"
#include "app/pdf/flow.h"

#include <algorithm>

namespace perilune {

namespace {

using namespace pdf;

TextStyle smallStyle()
{
    return {.size = 8, .color = ink::muted};
}

TextStyle bodyStyle()
{
    return {.size = 10, .color = ink::text};
}

/// A chat on paper, message by message.
class ChatPaper {
public:
    ChatPaper(const ExportedChat &chat, const Drawings &drawings, const ExportTarget &target)
        : m_chat(chat),
          m_picture(drawings.picture),
          m_target(target),
          m_paper(target.write, cleanText(titleOf(chat.conversation)),
                  [this] { return m_all == 0 ? Status(Done{}) : stepOf(m_target, m_done, m_all); }),
          m_flow(m_paper, drawings.formula)
    {
    }

    Result<PdfReport> write()
    {
        putHead();
        const ExportTarget told{{}, [this](std::size_t done, std::size_t all) {
                                    m_done = done;
                                    m_all = all;
                                    return stepOf(m_target, done, all);
                                }};
        const Status written = walkSections(m_chat, told,
                                            {.heading =
                                                 [this](const std::string &heading) {
                                                     putSection(heading);
                                                     return m_paper.status();
                                                 },
                                             .message =
                                                 [this](const StoredMessage &message) {
                                                     putMessage(message);
                                                     return m_paper.status();
                                                 }});
        if (!written)
            return written.error();
        putMissing();
        const Result<Paper::Report> report = m_paper.finish();
        if (!report)
            return report.error();
        return PdfReport{report->pages, report->scriptsWithoutFont};
    }

private:
    void putHead()
    {
        const StoredConversation &conversation = m_chat.conversation;
        m_flow.plain(cleanText(titleOf(conversation)),
                     {.size = 18, .leading = 1.2, .bold = true, .color = ink::text});
        if (conversation.row.createdMs != 0)
            m_flow.plain(timeOf(conversation.row.createdMs) + " UTC", smallStyle());
        if (!conversation.systemPrompt.empty()) {
            putSpeaker("System", 0);
            m_flow.plain(cleanText(conversation.systemPrompt), bodyStyle());
        }
    }

    void putSection(const std::string &heading)
    {
        m_paper.space(14);
        m_paper.need(90);
        m_paper.outline(heading);
        m_paper.paintRule(Paper::kLeft, Paper::kRight, m_paper.band(8), ink::muted);
        m_flow.plain(heading, {.size = 12, .bold = true, .color = ink::text});
    }

    static std::string timeOf(std::int64_t ms)
    {
        std::string time = isoTime(ms).substr(0, 16);
        time[10] = ' ';
        return time;
    }

    void putSpeaker(const std::string &name, std::int64_t ms)
    {
        m_paper.space(14);
        m_paper.need(70); // with something of what was said
        StyledText words{name};
        words.ranges.push_back({.from = 0, .to = name.size(), .bold = true});
        if (ms != 0)
            words.text += "   " + timeOf(ms);
        m_flow.put(words, smallStyle());
        m_paper.space(2);
    }

    void putMessage(const StoredMessage &message)
    {
        const bool person = message.message.role == Role::User;
        putSpeaker(cleanText(speakerOf(message)), message.createdMs);
        if (person) {
            m_paper.outline(outlineWords(message));
            m_paper.pushDecor({m_flow.leftEdge(), m_flow.rightEdge(), ink::bubble});
            m_paper.band(5);
            m_flow.indent(9, 9);
        }
        bool first = true;
        for (const Part &part : message.message.parts) {
            if (!std::exchange(first, false))
                m_paper.space(6);
            putPart(part, message.message.role);
        }
        if (person) {
            m_flow.indent(-9, -9);
            m_paper.band(5);
            m_paper.popDecor();
        }
        if (const std::string note = noteOf(message); !note.empty()) {
            m_paper.space(4);
            m_flow.plain(cleanText(note), {.size = 9, .color = ink::bad});
        }
        if (m_chat.choices.statistics && message.stats) {
            m_paper.space(4);
            m_flow.plain(cleanText(statisticsOf(*message.stats)), smallStyle());
        }
    }

    static std::string outlineWords(const StoredMessage &message)
    {
        std::string words = "You";
        for (const Part &part : message.message.parts) {
            if (const auto *text = std::get_if<TextPart>(&part)) {
                words = cleanText(text->text).substr(0, 300);
                break;
            }
        }
        std::ranges::replace(words, '\n', ' ');
        const glong most =
            std::min<glong>(g_utf8_strlen(words.data(), static_cast<gssize>(words.size())), 60);
        gchar *cut = g_utf8_substring(words.data(), 0, most);
        words = cut;
        g_free(cut);
        return words;
    }

    void putPart(const Part &part, Role role)
    {
        if (const auto *text = std::get_if<TextPart>(&part)) {
            if (role == Role::Assistant)
                m_flow.markdown(cleanText(text->text));
            else if (role == Role::Tool)
                m_flow.code(cleanText(text->text), "");
            else
                m_flow.plain(cleanText(text->text), bodyStyle());
        } else if (const auto *thinking = std::get_if<ThinkingPart>(&part)) {
            putThinking(thinking->text);
        } else if (const auto *call = std::get_if<ToolCallPart>(&part)) {
            m_flow.plain("Called " + cleanText(call->name), {.size = 9, .color = ink::muted});
            m_paper.space(2);
            m_flow.code(cleanText(call->argumentsJson), "json");
        } else {
            putMedia(std::get<MediaPart>(part));
        }
    }

    void putThinking(const std::string &text)
    {
        m_paper.pushDecor({m_flow.leftEdge(), m_flow.leftEdge() + 2, ink::line});
        m_flow.indent(12, 0);
        m_flow.plain("Thinking", smallStyle());
        m_flow.markdown(cleanText(text));
        m_flow.indent(-12, 0);
        m_paper.popDecor();
    }

    void putMedia(const MediaPart &media)
    {
        const std::string name = cleanText(nameOf(media));
        const Result<EmbeddedPicture> picture =
            m_picture ? m_picture(media)
                      : Result<EmbeddedPicture>(Error{ErrorCode::NotFound, "not embedded"});
        if (!picture) {
            m_flow.plain(name + " (" + cleanText(picture.error().message) + ")",
                         {.size = 9, .color = ink::bad});
            return;
        }
        m_flow.picture(*picture);
        m_flow.plain((media.kind == MediaPart::Kind::Video ? "First picture of the clip " : "") + name,
                     smallStyle());
    }

    void putMissing()
    {
        const std::vector<std::string> scripts = m_paper.scriptsWithoutFont();
        if (scripts.empty())
            return;
        std::string names;
        for (const std::string &script : scripts)
            names += (names.empty() ? "" : ", ") + script;
        m_paper.space(14);
        m_flow.plain(
            "No font on the computer that made this document has these letters, for which boxes stand: " +
                names + ".",
            {.size = 9, .color = ink::bad});
    }

    const ExportedChat &m_chat;
    const PictureOf &m_picture;
    const ExportTarget &m_target;
    std::size_t m_done = 0, m_all = 0; // messages
    Paper m_paper;
    Flow m_flow;
};

} // namespace

Result<PdfReport> writePdf(const ExportedChat &chat, const Drawings &drawings, const ExportTarget &target)
{
    ChatPaper paper(chat, drawings, target);
    return paper.write();
}

} // namespace perilune
