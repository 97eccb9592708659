// Sorts chats until it is killed: manage_victim FOLDER SEED. With `open` in place of SEED it opens what is in
// FOLDER, which upgrades it, and then waits. Says on stdout what is on disk by then, a line
// each:
//
//   doing WHAT                begins with it
//   kept TEXT                 a message with this text is stored, in the bin perhaps
//   imported CONVERSATION N   a conversation of N messages is stored
//   backed FOLDER             a backup is whole
//   opened                    the conversations are open
#include "app/store/conversation_store.h"
#include "tests/support/mixed_chat.h"

#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace perilune;

namespace {

void say(const std::string &line)
{
    // One write: what the parent reads was complete before the kill.
    if (::write(STDOUT_FILENO, (line + '\n').data(), line.size() + 1) < 0)
        std::_Exit(1);
}

[[noreturn]] void giveUp(const Error &error)
{
    say("failed " + error.message);
    std::_Exit(1);
}

class Manager {
public:
    Manager(ConversationStore &store, std::string folder, std::string seed)
        : m_store(store),
          m_folder(std::move(folder)),
          m_seed(std::move(seed)),
          m_random(static_cast<unsigned>(std::stoul(m_seed)))
    {
    }

    void step()
    {
        const unsigned what = m_random() % 8;
        constexpr std::array names = {"appending", "appending", "editing",   "deleting a branch",
                                      "deleting",  "restoring", "importing", "backing up"};
        say(std::string("doing ") + names[what]);
        switch (what) {
        case 0:
        case 1: append(m_last); break;
        case 2: append(any()); break; // an edit: a branch beside what is there
        case 3: expect(m_last == 0 ? Status(Done{}) : m_store.removeBranch(any())); break;
        case 4: expect(m_store.remove(conversation())); break;
        case 5: expect(m_store.restore(conversation())); break;
        case 6: import(); break;
        default: backup(); break;
        }
    }

private:
    static void expect(const Status &status)
    {
        // A branch may be in the bin already; all else is a failure.
        if (!status && status.error().code != ErrorCode::NotFound)
            giveUp(status.error());
    }
    MessageId any() { return m_messages.empty() ? 0 : m_messages[m_random() % m_messages.size()]; }
    ConversationId conversation()
    {
        if (m_conversation == 0)
            append(0);
        return m_conversation;
    }
    void append(MessageId parent)
    {
        Message message;
        message.parts.emplace_back(TextPart{"message " + m_seed + "." + std::to_string(m_number++)});
        const Result<StoredMessage> stored = m_store.append(m_conversation, parent, message);
        if (!stored) {
            if (stored.error().code != ErrorCode::NotFound)
                giveUp(stored.error());
            return;
        }
        m_conversation = stored->conversation;
        m_last = stored->id;
        m_messages.push_back(stored->id);
        say("kept " + std::get<TextPart>(message.parts[0]).text);
    }
    void import()
    {
        const std::vector<StoredMessage> tree = test::mixedChat(2);
        const Result<ConversationId> id = m_store.import("imported", {}, tree, tree.back().id);
        if (!id)
            giveUp(id.error());
        say("imported " + std::to_string(*id) + " " + std::to_string(tree.size()));
    }
    void backup()
    {
        const std::string folder = m_folder + "/backup-" + m_seed + "." + std::to_string(m_number++);
        if (const auto made = m_store.backup(folder); !made)
            giveUp(made.error());
        say("backed " + folder);
    }

    ConversationStore &m_store;
    std::string m_folder, m_seed;
    std::mt19937 m_random;
    ConversationId m_conversation = 0;
    MessageId m_last = 0;
    std::vector<MessageId> m_messages;
    int m_number = 0;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    auto store = ConversationStore::open(argv[1]);
    if (!store)
        giveUp(store.error());
    if (std::string_view(argv[2]) == "open") {
        say("opened");
        for (;;)
            ::pause();
    }
    Manager manager(**store, argv[1], argv[2]);
    for (;;)
        manager.step();
}
