// How the window starts on a large store (make one with search_bench MESSAGES FOLDER): the first frame, the
// list of chats, memory, how long the GUI thread was held; then a chat of 10,000 messages and 300 pictures,
// scrolling in it, and a jump to one of its messages.
//
//   build/release/tests/start_bench FOLDER
#include "app/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/transcript_scroller.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QQuickWindow>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

using namespace perilune;
using namespace perilune::ui;

namespace {

constexpr int kLongChat = 10'000;
constexpr int kPictures = 300;
constexpr const char *kTitle = "A chat of 10,000 messages with pictures";

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

/// What a person says: a line or two, and now and then a picture.
std::vector<Part> question(int at, const std::string &pictures)
{
    std::vector<Part> parts;
    if (at % (kLongChat / kPictures) == 0) {
        const std::string path = pictures + "/" + std::to_string(at) + ".png";
        QImage picture(640, 480, QImage::Format_RGB32);
        picture.fill(QColor::fromHsv(at % 360, 120, 200));
        picture.save(QString::fromStdString(path));
        MediaPart part;
        part.path = path;
        part.name = "picture " + std::to_string(at) + ".png";
        parts.emplace_back(std::move(part));
    }
    parts.emplace_back(TextPart{"Question number " + std::to_string(at) +
                                ": why is it so, and what follows from it for the next one?"});
    return parts;
}

/// What a model answers: 1,600 characters of paragraphs, lists, code, a table and a formula.
std::vector<Part> answer(int at)
{
    const std::string number = std::to_string(at);
    std::string text = "Message number " + number + (at == 5001 ? " has the haberdashery" : " says little") +
                       ".\n\n## What follows\n\n";
    for (int paragraph = 0; paragraph < 3; ++paragraph)
        text += "A paragraph with *some* words, and `code`, that goes on for as long as paragraphs do: about "
                "three lines in a window of the usual width, with a [link](https://example.org) in it, and "
                "**emphasis** where it is due.\n\n";
    text += "- first\n- second, with `more`\n  - and below it\n\n";
    if (at % 4 == 1)
        text += "```cpp\nint main()\n{\n    const int number = " + number +
                ";\n    return number % 2; // odd\n}\n```\n\n";
    if (at % 8 == 3)
        text += "| one | two | three |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n\n";
    if (at % 8 == 7)
        text += "$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$\n\n";
    text += "So it is, with $x^2$ in the line, and nothing else is to be said.";
    std::vector<Part> parts;
    if (at % 6 == 1)
        parts.emplace_back(ThinkingPart{"The person asks about number " + number + ". Let me see."});
    parts.emplace_back(TextPart{std::move(text)});
    return parts;
}

/// The long chat; it is made where there is none.
Result<ConversationId> longChat(ConversationStore &store)
{
    const std::string pictures = store.folder().string() + "/pictures";
    std::filesystem::create_directories(pictures);
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
        message.message.parts = at % 2 ? answer(at) : question(at, pictures);
        message.createdMs = message.finishedMs = nowMs();
        tree.push_back(std::move(message));
    }
    Result<ConversationId> made = store.import(kTitle, {}, tree, 0);
    for (Result<bool> more = true; more && *more;)
        more = store.indexMessages(1000);
    return made;
}

/// What this thread has worked, in ms: what others did meanwhile isn't in it.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Knows which event took the most work.
class TimedApplication : public QGuiApplication {
public:
    using QGuiApplication::QGuiApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (QThread::currentThread() != thread()) // the readers of pictures and of QML have events, too
            return QGuiApplication::notify(receiver, event);
        const bool outer = !std::exchange(m_inside, true);
        if (outer)
            m_start = threadMs();
        const QString what =
            outer ? QStringLiteral("%1 to %2").arg(event->type()).arg(receiver->metaObject()->className())
                  : QString();
        const bool taken = QGuiApplication::notify(receiver, event);
        if (outer) {
            m_inside = false;
            if (const double took = threadMs() - m_start; took > m_longest) {
                m_longest = took;
                m_what = what;
            }
        }
        return taken;
    }
    /// The work for the event in hand so far, in ms.
    double sinceEvent() const { return threadMs() - m_start; }
    QString longest()
    {
        return QStringLiteral("%1 (%2 ms)").arg(m_what).arg(std::exchange(m_longest, 0), 0, 'f', 1);
    }

private:
    bool m_inside = false;
    double m_longest = 0, m_start = 0;
    QString m_what;
};

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

/// The window on a store, and what it took to show things in it.
class Bench {
public:
    Bench(TimedApplication &gui, const std::string &folder) : m_gui(gui)
    {
        m_timer.start();
        const double before = memory("VmRSS");
        m_application =
            Application::open({.dataFolder = folder,
                               .settingsPath = folder + "/settings.json",
                               .post = guiPost(),
                               .openEngine = test::scriptedOpener(std::make_shared<test::Script>()),
                               .prepare = {},
                               .visionConfigPath = {},
                               .log = {}});
        const qint64 opened = m_timer.elapsed();
        m_window = std::make_unique<Window>(
            *m_application, WindowOptions{.theme = Settings::Theme::Light, .loadEngine = false});
        QQuickWindow *window = m_window->quickWindow();
        QObject::connect(window, &QQuickWindow::beforeSynchronizing,
                         [this] { m_laidOut = std::max(m_laidOut, m_gui.sinceEvent()); });
        QObject::connect(window, &QQuickWindow::afterRendering, [this] { m_drawn = true; });
        const qint64 held = runUntil([this] { return m_drawn; });
        const qint64 first = m_timer.elapsed();
        const qint64 heldList = runUntil([this] { return list().loaded(); });
        std::printf("services open after %lld ms, first frame after %lld ms, %d chats listed after %lld ms\n",
                    opened, first, list().count(), m_timer.elapsed());
        std::printf("longest hold of the GUI thread: %lld ms until the first frame, %lld ms until the list\n",
                    held, heldList);
        const qint64 heldIdle = settle(1000);
        std::printf("memory: %.0f MB before, %.0f MB with the window; held while idle: %lld ms\n", before,
                    memory("VmRSS"), heldIdle);
    }

    void openLongChat()
    {
        int shown = 0;
        const auto connection = QObject::connect(&chat(), &Chat::shown, [this, &shown] {
            m_drawn = false;
            ++shown;
        });
        begin();
        chat().open(longChat());
        m_drawn = false;
        const qint64 held = runUntil([this, &shown] { return shown > 0 && m_drawn; });
        std::printf(
            "a chat of %d messages (%d rows): shown at its end after %lld ms, GUI thread held %lld ms, "
            "memory %.0f MB\n",
            kLongChat, chat().transcript()->count(), m_timer.elapsed(), held, memory("VmRSS"));
        tellWork("opening");
        (void)settle(1500);
        tellWork("settling");
        QObject::disconnect(connection);
    }

    /// 4,000 pixels a second upwards, then the scroll bar drawn from the end to the beginning.
    void scroll()
    {
        auto &view = *m_window->quickWindow()->findChild<TranscriptScroller *>()->view();
        view.setProperty("following", false);
        begin();
        const auto place = [&view](const char *what) { return view.property(what).toDouble(); };
        int frames = 0;
        for (; frames < 180; ++frames) {
            view.setProperty("contentY", place("contentY") - 64);
            m_drawn = false;
            (void)runUntil([this] { return m_drawn; });
        }
        std::printf("%d frames upwards in %lld ms, %zu messages read, memory %.0f MB\n", frames,
                    m_timer.elapsed(), chat().readCount(), memory("VmRSS"));
        tellWork("scrolling");
        begin();
        for (double share = 1; share > 0; share -= 0.01) {
            view.setProperty("contentY", place("originY") + share * place("contentHeight"));
            (void)settle(30);
        }
        std::printf("the scroll bar drawn along in %lld ms, %zu messages read, memory %.0f MB\n",
                    m_timer.elapsed(), chat().readCount(), memory("VmRSS"));
        tellWork("drawing the bar");
    }

    void search()
    {
        chat().openNew();
        (void)settle(100);
        m_timer.restart();
        list().setFilter("haberdashery");
        const qint64 held = runUntil([this] { return list().count() == 1 && hit() != 0; });
        std::printf("search as typed: found after %lld ms (120 ms of it waited for further keys), GUI thread "
                    "held %lld ms\n",
                    m_timer.elapsed(), held);
        int row = -1;
        QObject::connect(&chat(), &Chat::found, [this, &row](int at) {
            m_drawn = false;
            row = at;
        });
        begin();
        chat().openAt(list().index(0).data(ConversationListModel::IdRole).toLongLong(), hit(),
                      "haberdashery");
        m_drawn = false;
        const qint64 heldJump = runUntil([this, &row] { return row >= 0 && m_drawn; });
        std::printf("jump to message 5,000 of it: row %d, shown after %lld ms, GUI thread held %lld ms\n",
                    row, m_timer.elapsed(), heldJump);
        tellWork("jumping");
    }

private:
    Chat &chat() { return *m_window->model().chat(); }
    ConversationListModel &list() { return *m_window->model().conversations(); }
    qint64 hit() { return list().index(0).data(ConversationListModel::MessageRole).toLongLong(); }
    ConversationId longChat()
    {
        for (int row = 0; row < list().count(); ++row) {
            const QModelIndex at = list().index(row);
            if (at.data(ConversationListModel::TitleRole).toString() == QLatin1String(kTitle))
                return at.data(ConversationListModel::IdRole).toLongLong();
        }
        return 0;
    }
    void begin()
    {
        m_timer.restart();
        (void)m_gui.longest();
        m_laidOut = 0;
    }
    qint64 settle(qint64 forMs)
    {
        QElapsedTimer timer;
        timer.start();
        return runUntil([&timer, forMs] { return timer.elapsed() > forMs; });
    }
    /// What the thread of the window has worked for one event; waiting for a processor is not in it.
    void tellWork(const char *what)
    {
        std::printf("  %s: most work for one event: %s; of it before drawing, for the worst frame: %.1f ms\n",
                    what, qPrintable(m_gui.longest()), std::exchange(m_laidOut, 0));
    }

    TimedApplication &m_gui;
    QElapsedTimer m_timer;
    std::unique_ptr<Application> m_application;
    std::unique_ptr<Window> m_window;
    bool m_drawn = false;
    double m_laidOut = 0;
};

} // namespace

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    if (count < 2) {
        std::fprintf(stderr, "start_bench FOLDER\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::string folder = arguments[1];
    {
        auto store = ConversationStore::open(folder);
        if (!store || !longChat(**store)) {
            std::fprintf(stderr, "there is no store in %s\n", folder.c_str());
            return 1;
        }
    }
    TimedApplication gui(count, arguments);
    Bench bench(gui, folder);
    bench.openLongChat();
    bench.scroll();
    bench.search();
    return 0;
}
