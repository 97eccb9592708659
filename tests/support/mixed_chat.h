// A chat of every kind of block in many scripts, as long as wanted.
#pragma once

#include "app/store/stored_types.h"

#include <string>
#include <vector>

namespace perilune::test {

/// An answer with all that a document must be able to draw; `number` makes its words its own.
inline std::string mixedAnswer(int number)
{
    const std::string n = std::to_string(number);
    return "# Heading " + n +
           " with *emphasis* and `code`\n\n"
           "A paragraph " +
           n +
           " that is long enough to be wrapped at the end of the line, for it has many words in "
           "it, **bold** and ~~struck~~ ones, and [a link](https://example.org/" +
           n +
           "). Fish & chips cost $5 and $10.\n\n"
           "- an item " +
           n + "\n  - nested 项目" + n +
           "\n- [x] done\n\n1. first\n2. second\n\n   with more\n\n"
           "> A quote " +
           n +
           "\n\n"
           "```python\n"
           "def function_" +
           n +
           "(argument: int) -> list[int]:\n"
           "    text_" +
           n +
           " = \"a very long line of code that has to be wrapped since it is much wider than the page is, "
           "by far, whatever the size of the letters\"  # комментарий\n"
           "\treturn [argument]\n"
           "```\n\n"
           "| Name | 数量 | Description of what it is | Price |\n|:--|:-:|---|--:|\n"
           "| Apples" +
           n +
           " | 12 | a fruit that grows on trees, and whose description needs more than one line | 3.50 € |\n"
           "| 苹果" +
           n +
           " | 7 | 水果，生长在树上 | 2.00 € |\n\n"
           "$$\\int_0^1 x^" +
           n +
           " \\, dx$$\n\n"
           "这是第" +
           n +
           "个中文段落，用来测试换行和字体。人工智能是计算机科学的一个分支，它企图了解智能的实质。\n\n"
           "هذا نص عربي رقم " +
           n +
           " لاختبار اتجاه الكتابة، والأشجار والأرقام والسلام\n\n"
           "日本語のテキスト" +
           n + "です。 한국어 텍스트 " + n +
           "\n\n"
           "Emoji " +
           n +
           ": 😀 🎉 ✅\n\n"
           "<script>alert(" +
           n + ")</script>\n";
}

/// `turns` questions with such answers, thinking, and a tool every fifth time.
inline std::vector<StoredMessage> mixedChat(int turns)
{
    std::vector<StoredMessage> messages;
    const auto add = [&messages](Role role, std::vector<Part> parts) {
        StoredMessage message;
        message.id = static_cast<MessageId>(messages.size()) + 1;
        message.parent = message.id - 1;
        message.createdMs = 1'796'000'000'000 + message.id * 60'000;
        message.finishedMs = message.createdMs + 5'000;
        message.message.role = role;
        message.message.parts = std::move(parts);
        if (role == Role::Assistant) {
            message.stats.emplace();
            message.stats->model = "Kimi K2.5";
            message.stats->summary.newTokens = 300;
            message.stats->summary.decodeSeconds = 10;
        }
        messages.push_back(std::move(message));
    };
    for (int i = 0; i < turns; ++i) {
        const std::string n = std::to_string(i);
        add(Role::User,
            {TextPart{"Question " + n + " with <marks> & *stars*?\n  中文问题" + n + "\n\tсрочно " + n}});
        if (i % 5 == 4) {
            add(Role::Assistant, {
                                     ThinkingPart{"I need the tool " + n + "."},
                                     ToolCallPart{"f:0", "search", "{\"query\": \"words " + n + "\"}"}
            });
            add(Role::Tool, {TextPart{"{\"found\": [" + n + ", \"result\"]}"}});
        }
        add(Role::Assistant,
            {ThinkingPart{"Let me think about " + n + ".\n\nSo be it."}, TextPart{mixedAnswer(i)}});
    }
    return messages;
}

inline StoredConversation mixedConversation(int turns)
{
    StoredConversation conversation;
    conversation.row.title = "A mixed chat, 中文 و العربية";
    conversation.row.createdMs = 1'796'000'000'000;
    conversation.path = mixedChat(turns);
    return conversation;
}

} // namespace perilune::test
