#include "app/cli/chat_turns.h"

#include "app/cli/command.h"
#include "app/cli/engine_options.h"
#include "app/cli/terminal_text.h"
#include "media/prepare.h"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace perilune::cli {

namespace {

/// Writes the pieces of an answer to the terminal.
class Stream {
public:
    explicit Stream(bool on)
        : m_on(on),
          m_terminal(isatty(STDERR_FILENO) == 1),
          m_toTerminal(isatty(STDOUT_FILENO) == 1)
    {
    }
    ~Stream() { end(); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    void progress(const Progress &progress) { m_line.show(progress); }

    void thinking(const std::string &text)
    {
        m_line.clear();
        if (!m_on)
            return;
        if (!m_thinking)
            std::cerr << (m_terminal ? "\033[2m" : "");
        m_thinking = true;
        std::cerr << (m_terminal ? m_thoughts.add(text) : text) << std::flush;
    }

    void content(const std::string &text)
    {
        m_line.clear();
        if (!m_on)
            return;
        endThinking();
        m_written = true;
        std::cout << (m_toTerminal ? m_words.add(text) : text) << std::flush;
    }

    void call(const ToolCallPart &call)
    {
        m_line.clear();
        if (!m_on)
            return;
        endThinking();
        const auto shown = [this](const std::string &text) {
            return m_toTerminal ? forTerminal(text) : text;
        };
        std::cout << m_words.end() << (m_written ? "\n" : "")
                  << (call.name.empty() ? "[a call that broke off or can't be understood: " + shown(call.id)
                                        : "[calls " + shown(call.name))
                  << ' ' << shown(call.argumentsJson) << ']' << std::flush;
        m_written = true;
    }

    void end()
    {
        m_line.clear();
        endThinking();
        if (m_written)
            std::cout << m_words.end() << '\n' << std::flush;
        m_written = false;
    }

private:
    void endThinking()
    {
        if (m_thinking)
            std::cerr << m_thoughts.end() << (m_terminal ? "\033[0m\n" : "\n") << std::flush;
        m_thinking = false;
    }

    bool m_on, m_terminal, m_toTerminal; // stderr and stdout are terminals
    TerminalText m_thoughts, m_words;
    bool m_thinking = false, m_written = false;
    ProgressLine m_line;
};

const char *nameOf(ReplySummary::Finish finish)
{
    switch (finish) {
    case ReplySummary::Finish::Stop: return "stop";
    case ReplySummary::Finish::Length: return "length";
    case ReplySummary::Finish::ToolCalls: return "tool_calls";
    case ReplySummary::Finish::Cancelled: return "cancelled";
    }
    return "";
}

Status attach(MediaPart &part, const Capabilities &capabilities, const MediaConfig &config)
{
    const bool video = part.kind == MediaPart::Kind::Video;
    if (video ? !capabilities.video : !capabilities.images)
        return Error{ErrorCode::Unsupported, part.path + ": " + capabilities.modelName +
                                                 (video ? " can't take clips" : " can't see pictures")};
    PrepareOptions options;
    options.as = video ? PrepareOptions::As::Video : PrepareOptions::As::Image;
    options.choice = part.choice;
    ProgressLine line;
    Result<Prepared> prepared =
        prepare(part.path, config, options, [&line](double done) { line.showMedium(done); }, interrupted());
    line.clear();
    if (!prepared)
        return std::move(prepared).error();
    for (const std::string &note : prepared->notes)
        std::cerr << forTerminal(part.path + ": " + note) << '\n';
    part.patches = prepared->patches;
    return Done{};
}

} // namespace

Message Answer::message() const
{
    Message message;
    message.role = Role::Assistant;
    if (!thinking.empty())
        message.parts.emplace_back(ThinkingPart{thinking});
    if (!content.empty())
        message.parts.emplace_back(TextPart{content});
    message.parts.insert(message.parts.end(), calls.begin(), calls.end());
    return message;
}

std::string Answer::json(double loadSeconds, const std::string &conversation,
                         const std::vector<ToolStep> &steps) const
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const ToolCallPart &call : calls) {
        if (call.name.empty())
            continue; // it is among the malformed ones
        list.push_back({
            {"id",        call.id           },
            {"name",      call.name         },
            {"arguments", call.argumentsJson}
        });
    }
    Json json = {
        {"thinking",   thinking                 },
        {"content",    content                  },
        {"tool_calls", list                     },
        {"finish",     nameOf(summary.finish)   },
        {"usage",
         {{"prompt_tokens", summary.promptTokens},
          {"cached_tokens", summary.cachedTokens},
          {"completion_tokens", summary.newTokens},
          {"image_tokens", summary.imageTokens}}},
        {"timing",
         {{"load_s", loadSeconds},
          {"vision_s", summary.visionSeconds},
          {"prefill_s", summary.prefillSeconds},
          {"decode_s", summary.decodeSeconds}}  },
        {"seed",       summary.seed             },
        {"malformed",  summary.malformedCalls   }
    };
    for (const ToolStep &step : steps)
        json["tool_results"].push_back({
            {"id",        step.call.id                      },
            {"name",      step.call.name                    },
            {"arguments", step.call.argumentsJson           },
            {"result",    step.result                       },
            {"usage",
             {{"prompt_tokens", step.summary.promptTokens},
              {"cached_tokens", step.summary.cachedTokens},
              {"completion_tokens", step.summary.newTokens}}}
        });
    if (!conversation.empty())
        json["conversation"] = conversation;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status attachMedia(std::vector<Message> &messages, const Capabilities &capabilities)
{
    std::optional<MediaConfig> config;
    for (Message &message : messages) {
        for (Part &part : message.parts) {
            auto *media = std::get_if<MediaPart>(&part);
            if (!media || media->patches)
                continue;
            if (!config && !capabilities.visionConfigPath.empty()) {
                Result<MediaConfig> read = readMediaConfig(capabilities.visionConfigPath);
                if (!read)
                    return std::move(read).error();
                config = *read;
            }
            if (Status attached = attach(*media, capabilities, config.value_or(MediaConfig{})); !attached)
                return attached;
        }
    }
    return Done{};
}

Result<Answer> ask(ChatEngine &engine, const ChatRequest &request, bool stream)
{
    Answer answer;
    Stream out(stream);
    const ReplySink sink = [&](ReplyEvent event) {
        if (const auto *text = std::get_if<TextDelta>(&event)) {
            answer.content += text->text;
            out.content(text->text);
        } else if (const auto *thought = std::get_if<ThinkingDelta>(&event)) {
            answer.thinking += thought->text;
            out.thinking(thought->text);
        } else if (const auto *ready = std::get_if<ToolCallReady>(&event)) {
            answer.calls.push_back(ready->call);
            out.call(ready->call);
        } else if (const auto *progress = std::get_if<Progress>(&event)) {
            out.progress(*progress);
        }
    };
    Result<ReplySummary> summary = engine.reply(request, sink, interrupted());
    out.end();
    if (!summary)
        return std::move(summary).error();
    answer.summary = *std::move(summary);
    return answer;
}

std::string textOf(const Message &message)
{
    std::string text;
    for (const Part &part : message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            text += words->text;
    }
    return text;
}

void showResult(const CallOutcome &outcome)
{
    const std::string text = textOf(outcome.result);
    std::cout << "[result " << forOutput(text) << "]\n" << std::flush;
}

Message userMessage(const std::string &text, const std::vector<MediaPart> &media)
{
    Message message;
    message.parts.insert(message.parts.end(), media.begin(), media.end());
    message.parts.emplace_back(TextPart{text});
    return message;
}

} // namespace perilune::cli
