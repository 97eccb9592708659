// How the window starts on a large store (make one with search_bench MESSAGES FOLDER): the first frame, the
// list of chats, memory, how long the GUI thread was held; then a chat of 10,000 messages, and a jump to one
// of them.
//
//   build/release/tests/start_bench FOLDER
#include "app/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QQuickWindow>
#include <QTimer>

#include <algorithm>
#include <cstdio>

using namespace perilune;
using namespace perilune::ui;

namespace {

constexpr int kLongChat = 10'000;
constexpr const char *kTitle = "A chat of 10,000 messages";

/// Of this process, in MB.
double memory(const char *what)
{
    QFile status("/proc/self/status");
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith(what))
            return line.simplified().split(' ').at(1).toDouble() / 1000;
    }
    return 0;
}

/// The long chat; it is made where there is none.
Result<ConversationId> longChat(ConversationStore &store)
{
    const Result<std::vector<ConversationRow>> rows = store.list();
    if (!rows)
        return rows.error();
    const auto found = std::ranges::find(*rows, kTitle, &ConversationRow::title);
    if (found != rows->end())
        return found->id;
    std::vector<StoredMessage> tree;
    for (int at = 0; at < kLongChat; ++at) {
        StoredMessage message;
        message.id = at + 1;
        message.parent = at;
        message.message.role = at % 2 ? Role::Assistant : Role::User;
        message.message.parts.emplace_back(TextPart{
            "Message number " + std::to_string(at) + (at == 5000 ? " has the needlework" : " says little") +
            ".\n\nA second paragraph with *some* words, and `code`."});
        message.createdMs = message.finishedMs = nowMs();
        tree.push_back(std::move(message));
    }
    Result<ConversationId> made = store.import(kTitle, {}, tree, 0);
    for (Result<bool> more = true; more && *more;)
        more = store.indexMessages(1000);
    return made;
}

/// Runs the event loop until `done`, and tells the longest time without a tick.
template <typename Done>
qint64 runUntil(Done done)
{
    QElapsedTimer sinceTick;
    qint64 longest = 0;
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &tick,
                     [&] { longest = std::max(longest, sinceTick.restart()); });
    sinceTick.start();
    tick.start(1);
    while (!done())
        QGuiApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return std::max(longest, sinceTick.elapsed());
}

} // namespace

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    if (count < 2) {
        std::fprintf(stderr, "start_bench FOLDER\n");
        return 2;
    }
    const std::string folder = arguments[1];
    {
        auto store = ConversationStore::open(folder);
        if (!store || !longChat(**store)) {
            std::fprintf(stderr, "there is no store in %s\n", folder.c_str());
            return 1;
        }
    }

    QElapsedTimer timer;
    timer.start();
    const QGuiApplication gui(count, arguments);
    const double before = memory("VmRSS");
    const auto script = std::make_shared<test::Script>();
    const auto application = Application::open({.dataFolder = folder,
                                                .settingsPath = folder + "/settings.json",
                                                .post = guiPost(),
                                                .openEngine = test::scriptedOpener(script),
                                                .prepare = {},
                                                .visionConfigPath = {},
                                                .log = {}});
    const qint64 opened = timer.elapsed();
    Window window(*application, {.theme = Settings::Theme::Light, .loadEngine = false});
    bool drawn = false;
    QObject::connect(window.quickWindow(), &QQuickWindow::afterRendering, [&drawn] { drawn = true; });
    const qint64 heldFirst = runUntil([&drawn] { return drawn; });
    const qint64 first = timer.elapsed();
    ConversationListModel *list = window.model().conversations();
    const qint64 heldList = runUntil([list] { return list->loaded(); });
    const qint64 loaded = timer.elapsed();
    std::printf("services open after %lld ms, first frame after %lld ms, %d chats listed after %lld ms\n",
                opened, first, list->count(), loaded);
    std::printf("longest hold of the GUI thread: %lld ms until the first frame, %lld ms until the list\n",
                heldFirst, heldList);
    const qint64 heldIdle = runUntil([&timer, loaded] { return timer.elapsed() > loaded + 1000; });
    std::printf("memory: %.0f MB before, %.0f MB with the window; held while idle: %lld ms\n", before,
                memory("VmRSS"), heldIdle);

    Chat *chat = window.model().chat();
    ConversationId id = 0;
    for (int row = 0; row < list->count(); ++row) {
        if (list->index(row).data(ConversationListModel::TitleRole).toString() == QLatin1String(kTitle))
            id = list->index(row).data(ConversationListModel::IdRole).toLongLong();
    }
    int shown = 0;
    QObject::connect(chat, &Chat::shown, [&shown] { ++shown; });
    timer.restart();
    chat->open(id);
    drawn = false;
    const qint64 heldOpen = runUntil([&] { return shown > 0 && drawn; });
    std::printf("a chat of %d messages (%d rows): shown at its end after %lld ms, GUI thread held %lld ms, "
                "memory %.0f MB\n",
                kLongChat, chat->transcript()->count(), timer.elapsed(), heldOpen, memory("VmRSS"));

    chat->openNew();
    (void)runUntil([&timer] { return timer.elapsed() > 100; });
    timer.restart();
    list->setFilter("needlework");
    const qint64 heldSearch = runUntil([list] {
        return list->count() == 1 &&
               list->index(0).data(ConversationListModel::MessageRole).toLongLong() != 0;
    });
    const qint64 searched = timer.elapsed();
    int row = -1;
    QObject::connect(chat, &Chat::found, [&row](int at) { row = at; });
    timer.restart();
    chat->openAt(id, list->index(0).data(ConversationListModel::MessageRole).toLongLong(), "needlework");
    drawn = false;
    const qint64 heldJump = runUntil([&] { return row >= 0 && drawn; });
    std::printf("search as typed: found after %lld ms (120 ms of it waited for further keys), GUI thread "
                "held %lld ms\n",
                searched, heldSearch);
    std::printf("jump to message 5,000 of it: row %d, shown after %lld ms, GUI thread held %lld ms\n", row,
                timer.elapsed(), heldJump);
    return 0;
}
