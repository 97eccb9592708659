// Chats of random words, for what must hold of every chat.
#pragma once

#include "app/store/stored_types.h"

#include <random>
#include <string>
#include <vector>

namespace perilune::test {

/// Random Markdown: pieces of every kind of block, whole and broken, in several scripts.
inline std::string randomMarkdown(std::mt19937 &random)
{
    static const std::vector<std::string> pieces = {"word ",
                                                    "# Title\n",
                                                    "## You\n",
                                                    "\n",
                                                    "\n\n",
                                                    "- item\n",
                                                    "  1. one\n",
                                                    "> quote\n",
                                                    "```\n",
                                                    "```py\n",
                                                    "````\n",
                                                    "~~~\n",
                                                    "    code\n",
                                                    "| a | b |\n|---|---|\n| 1 | 2 |\n",
                                                    "**bold** ",
                                                    "*it* ",
                                                    "`code` ",
                                                    "``a ` b`` ",
                                                    "<b>&amp; ",
                                                    "[x](https://a.b/c) ",
                                                    "中文文本。",
                                                    "مرحبا ",
                                                    "😀 ",
                                                    "\\(a_1*b\\) ",
                                                    "$x^2$ ",
                                                    "$$\nx\n$$\n",
                                                    "\\[\ny\n\\]\n",
                                                    "---\n",
                                                    "===\n",
                                                    "\t",
                                                    "\\",
                                                    "![p](q) ",
                                                    "<script>\n",
                                                    "* * *\n",
                                                    "<!-- ",
                                                    "text\r\n",
                                                    "'\"",
                                                    "{\"a\": 1}\n"};
    std::string text;
    const int count = static_cast<int>(random() % 30);
    for (int i = 0; i < count; ++i)
        text += pieces[random() % pieces.size()];
    return text;
}

/// A tree of up to forty messages of all roles and parts, and a branch in view.
inline std::vector<StoredMessage> randomTree(std::mt19937 &random)
{
    std::vector<StoredMessage> tree;
    const auto count = static_cast<MessageId>(1 + random() % 40);
    for (MessageId id = 1; id <= count; ++id) {
        StoredMessage message;
        message.id = id * 3;
        // Mostly the last one's child, so that branches are long.
        message.parent = random() % 4 != 0 ? (id - 1) * 3
                                           : static_cast<MessageId>(random() % static_cast<unsigned>(id)) * 3;
        message.message.role = static_cast<Role>(random() % 5);
        if (message.message.role == Role::Other)
            message.message.roleName = "developer";
        message.state = static_cast<MessageState>(1 + random() % 3);
        message.createdMs = 1'796'000'000'000 + id * 1000;
        message.finishedMs = message.createdMs + 10;
        const auto parts = random() % 4;
        for (unsigned i = 0; i < parts; ++i) {
            switch (random() % 4) {
            case 0: message.message.parts.emplace_back(ThinkingPart{randomMarkdown(random)}); break;
            case 1:
                message.message.parts.emplace_back(ToolCallPart{"f:0", "f", randomMarkdown(random)});
                break;
            default: message.message.parts.emplace_back(TextPart{randomMarkdown(random)}); break;
            }
        }
        if (message.message.role == Role::Assistant && random() % 2 == 0) {
            message.stats.emplace();
            message.stats->model = "K2.5 *toy*";
            message.stats->summary.seed = (std::uint64_t{random()} << 32) | random();
            message.stats->summary.newTokens = static_cast<std::uint32_t>(random() % 1000);
            message.stats->summary.decodeSeconds = 0.5;
        }
        tree.push_back(std::move(message));
    }
    return tree;
}

/// From a random message up to its beginning.
inline std::vector<StoredMessage> randomPath(const std::vector<StoredMessage> &tree, std::mt19937 &random)
{
    std::vector<StoredMessage> path;
    MessageId at = tree[random() % tree.size()].id;
    for (std::size_t i = tree.size(); i-- > 0;) {
        if (tree[i].id != at)
            continue;
        path.insert(path.begin(), tree[i]);
        at = tree[i].parent;
    }
    return path;
}

} // namespace perilune::test
