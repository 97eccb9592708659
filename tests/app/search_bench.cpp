// How long a search takes in a store of 100,000 messages in 2,000 chats: a table of queries on standard
// output.
//
//   build/release/tests/search_bench [MESSAGES] [FOLDER]     FOLDER keeps the store for the next run
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace perilune;
using Clock = std::chrono::steady_clock;

namespace {

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Words as languages have them: few that are everywhere, many that are rare.
class Words {
public:
    explicit Words(std::mt19937 &random) : m_random(random)
    {
        for (int i = 0; i < 20'000; ++i) {
            std::string word;
            for (int letters = 2 + i % 7; letters > 0; --letters)
                word += static_cast<char>('a' + std::uniform_int_distribution(0, 25)(m_random));
            m_latin.push_back(word);
        }
    }

    std::string message(bool chinese)
    {
        std::string text;
        for (int words = std::uniform_int_distribution(20, 120)(m_random); words > 0; --words)
            text += chinese ? character() : m_latin[rank(m_latin.size())] + ' ';
        return text;
    }

private:
    std::size_t rank(std::size_t of)
    {
        const double share = std::uniform_real_distribution(0.0, 1.0)(m_random);
        return static_cast<std::size_t>(static_cast<double>(of) * share * share * share * share) % of;
    }
    std::string character()
    {
        const auto point = static_cast<unsigned>(0x4e00 + rank(6000));
        return {static_cast<char>(0xe0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 0x3f)),
                static_cast<char>(0x80 | (point & 0x3f))};
    }

    std::mt19937 &m_random;
    std::vector<std::string> m_latin;
};

bool fill(ConversationStore &store, int messages)
{
    std::mt19937 random(7);
    Words words(random);
    std::printf("filling with %d messages …\n", messages);
    const int chats = std::max(1, messages / 50);
    const Clock::time_point start = Clock::now();
    int left = messages;
    for (int chat = 0; chat < chats && left > 0; ++chat) {
        std::vector<StoredMessage> tree;
        for (int i = 0; i < 50 && left > 0; ++i, --left) {
            StoredMessage message;
            message.id = i + 1;
            message.parent = i;
            message.message.role = i % 2 ? Role::Assistant : Role::User;
            std::string text = words.message(chat % 3 == 0);
            if (left % 10'000 == 1)
                text += " unobtainium 龘靐 ";
            message.message.parts.emplace_back(TextPart{std::move(text)});
            message.createdMs = message.finishedMs = nowMs();
            tree.push_back(std::move(message));
        }
        if (const auto id = store.import(words.message(false).substr(0, 40), {}, tree, 0); !id) {
            std::fprintf(stderr, "%s\n", id.error().message.c_str());
            return false;
        }
    }
    std::printf("written in %.1f s\n", secondsSince(start));
    const Clock::time_point indexing = Clock::now();
    for (Result<bool> more = true; more && *more;)
        more = store.indexMessages(1000);
    std::printf("index made in %.1f s\n", secondsSince(indexing));
    return true;
}

ConversationStore::SearchQuery queryFor(const char *text)
{
    ConversationStore::SearchQuery query;
    query.text = text;
    return query;
}

/// The table, and what all searches together took.
bool measureAll(ConversationStore &store)
{
    double load = 0;
    (void)getloadavg(&load, 1);
    std::printf("load %.1f\n%-40s %6s %9s %9s %9s\n", load, "query", "hits", "median ms", "95 % ms",
                "worst ms");
    std::vector<double> all;
    const auto measure = [&store, &all](const std::string &name,
                                        const ConversationStore::SearchQuery &query) {
        std::vector<double> times;
        std::size_t hits = 0;
        for (int run = 0; run < 21; ++run) {
            const Clock::time_point start = Clock::now();
            const auto found = store.search(query);
            times.push_back(secondsSince(start) * 1000);
            hits = found ? found->size() : 0;
        }
        all.insert(all.end(), times.begin(), times.end());
        std::ranges::sort(times);
        std::printf("%-40s %6zu %9.2f %9.2f %9.2f\n", name.c_str(), hits, times[10], times[19], times[20]);
    };
    for (const char *text : {"a",          "e",           "q",          "zq",       "ab",
                             "the",        "一",          "龘",         "龘靐",     "不是",
                             "丁万",       "unobtainium", "obtain",     "unob ium", "no such words",
                             "nosuchword", "abcabc",      "丁丂七丄丅", "%",        "_"})
        measure(text, queryFor(text));
    // What is narrowed down to little: the candidates are many, those that may be shown few.
    const auto rows = store.list();
    if (!rows || rows->empty() || !store.addTag(rows->back().id, "rare"))
        return false;
    for (const char *text : {"a", "ab", "一", "丁万", "nosuchword"}) {
        ConversationStore::SearchQuery query = queryFor(text);
        query.tag = "rare";
        measure(std::string(text) + ", a tag of one old chat", query);
        query.tag = "none";
        measure(std::string(text) + ", a tag that nothing has", query);
        query = queryFor(text);
        query.role = Role::Tool;
        measure(std::string(text) + ", by tools, which said nothing", query);
        query = queryFor(text);
        query.beforeMs = 1;
        measure(std::string(text) + ", before anything was written", query);
    }
    std::ranges::sort(all);
    std::printf("all %zu searches: median %.2f ms, 95 %% %.2f ms, worst %.2f ms\n", all.size(),
                all[all.size() / 2], all[all.size() * 95 / 100], all.back());
    return true;
}

} // namespace

int main(int count, char **arguments)
{
    const int messages = count > 1 ? std::atoi(arguments[1]) : 100'000;
    const std::filesystem::path folder =
        count > 2 ? std::filesystem::path(arguments[2])
                  : std::filesystem::temp_directory_path() / "perilune-search-bench";
    auto store = ConversationStore::open(folder);
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().message.c_str());
        return 1;
    }
    if (*(*store)->database().integer("SELECT count(*) FROM message") == 0 && !fill(**store, messages))
        return 1;
    const auto bytes = std::filesystem::file_size(folder / "conversations.db");
    const auto index = *(*store)->database().integer("SELECT sum(length(block)) FROM search_index_data");
    std::printf("database %.0f MB, of which the index %.0f MB\n", static_cast<double>(bytes) / 1e6,
                static_cast<double>(index) / 1e6);

    return measureAll(**store) ? 0 : 1;
}
