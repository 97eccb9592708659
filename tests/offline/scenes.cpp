#include "tests/offline/scenes.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QQuickItem>

#include <memory>

namespace perilune::test {
namespace {

using namespace std::chrono_literals;

std::string answer(const char *file)
{
    QFile text(QStringLiteral(SOURCE_DIR "/tests/offline/answers/") + file);
    return text.open(QIODevice::ReadOnly) ? text.readAll().toStdString()
                                          : "missing " + text.fileName().toStdString();
}

QUrl sample(const char *file)
{
    return QUrl::fromLocalFile(QStringLiteral(SOURCE_DIR "/packaging/demo-model/samples/") + file);
}

Step type(const char *text)
{
    return [text](Stage &stage) {
        stage.model.composer()->setText(QString::fromUtf8(text));
        return true;
    };
}

Step attach(const char *file)
{
    return [file](Stage &stage) {
        stage.model.composer()->addFiles({sample(file)});
        return true;
    };
}

/// Waits until everything attached is read.
bool attached(Stage &stage)
{
    return !stage.model.composer()->attachments()->reading();
}

/// Shows what the model sees of an attachment.
Step look(int row)
{
    return [row](Stage &stage) {
        stage.model.composer()->attachments()->look(row);
        return true;
    };
}

/// Has the model see a part of the clip in view.
Step part(double from, double to)
{
    return [from, to](Stage &stage) {
        stage.model.composer()->attachments()->seen()->choices()->setPart(from, to);
        return true;
    };
}

bool closeSeen(Stage &stage)
{
    stage.model.composer()->attachments()->seen()->hide();
    return true;
}

bool lowDetail(Stage &stage)
{
    stage.model.composer()->attachments()->seen()->choices()->details()->choose(2);
    return true;
}

bool send(Stage &stage)
{
    if (!stage.model.chat()->canSend())
        return false;
    stage.model.chat()->send();
    return true;
}

bool answered(Stage &stage)
{
    return !stage.model.chat()->busy() && stage.model.chat()->transcript()->count() > 0;
}

bool newChat(Stage &stage)
{
    stage.model.chat()->openNew();
    return true;
}

Step rows(int count)
{
    return [count](Stage &stage) { return stage.model.chat()->transcript()->count() >= count; };
}

Step wait(std::chrono::milliseconds time)
{
    auto timer = std::make_shared<QElapsedTimer>();
    return [timer, time](Stage &) {
        if (!timer->isValid())
            timer->start();
        return timer->elapsed() >= time.count();
    };
}

/// Opens all rows that can be.
bool unfold(Stage &stage)
{
    ui::TranscriptModel *transcript = stage.model.chat()->transcript();
    for (int row = 0; row < transcript->count(); ++row)
        transcript->setExpanded(row, true);
    return true;
}

Step openConversation(int row)
{
    return [row](Stage &stage) {
        ui::ConversationListModel *list = stage.model.conversations();
        if (list->count() <= row)
            return false;
        stage.model.chat()->open(list->index(row).data(ui::ConversationListModel::IdRole).toLongLong());
        return true;
    };
}

Step run(ui::Commands::Command command)
{
    return [command](Stage &stage) {
        stage.model.commands()->run(command);
        return true;
    };
}

ScriptedReply thinkingReply(const std::string &thoughts, const std::string &text)
{
    ScriptedReply reply;
    reply.pause = 20ms;
    for (int piece = 0; piece < 8; ++piece)
        reply.events.emplace_back(
            ThinkingDelta{thoughts.substr(thoughts.size() * piece / 8, thoughts.size() / 8)});
    reply.events.emplace_back(TextDelta{text});
    return reply;
}

ScriptedReply toolReply()
{
    ScriptedReply reply;
    reply.events.emplace_back(TextDelta{"I look that up."});
    reply.events.emplace_back(ToolCallReady{
        {.id = "functions.get_weather:0",
         .name = "get_weather",
         .argumentsJson = R"({"city": "Lisbon", "days": 3})"}
    });
    reply.finish = ReplySummary::Finish::ToolCalls;
    return reply;
}

ScriptedReply calculation()
{
    ScriptedReply reply;
    reply.events.emplace_back(ToolCallReady{
        {.id = "functions.calculator:0",
         .name = "calculator",
         .argumentsJson = R"({"expression": "17 * 24"})"}
    });
    reply.finish = ReplySummary::Finish::ToolCalls;
    return reply;
}

ScriptedReply brokenCall()
{
    ScriptedReply reply;
    reply.events.emplace_back(TextDelta{"I work that out."});
    reply.events.emplace_back(ToolCallReady{
        {.id = "functions.calculator:0", .name = {}, .argumentsJson = R"({"expression": "17 * 2)"}
    });
    reply.finish = ReplySummary::Finish::Length;
    return reply;
}

bool toolsOn(Stage &stage)
{
    stage.model.chat()->setTools(true);
    return true;
}

QQuickItem *buttonNamed(QQuickItem *item, const QString &text)
{
    if (item->isVisible() && item->inherits("QQuickAbstractButton") && item->property("text") == text)
        return item;
    for (QQuickItem *child : item->childItems()) {
        if (QQuickItem *found = buttonNamed(child, text))
            return found;
    }
    return nullptr;
}

/// Clicks the button with these words once it is there.
Step press(const QString &text)
{
    return [text](Stage &stage) {
        QQuickItem *button = buttonNamed(stage.window.contentItem(), text);
        return button && QMetaObject::invokeMethod(button, "clicked");
    };
}

/// Waits for a call that asks.
bool asks(Stage &stage)
{
    const ui::TranscriptModel *transcript = stage.model.chat()->transcript();
    for (int row = 0; row < transcript->count(); ++row) {
        if (transcript->row(row).step == ui::ToolCallStep::Asking)
            return true;
    }
    return false;
}

/// Waits for a call that asks, and answers it.
bool allowed(Stage &stage)
{
    const ui::TranscriptModel *transcript = stage.model.chat()->transcript();
    for (int row = 0; row < transcript->count(); ++row) {
        const ui::TranscriptRow &asking = transcript->row(row);
        if (asking.step != ui::ToolCallStep::Asking)
            continue;
        stage.model.chat()->decide(asking.message, asking.call, ui::ToolCallStep::Once);
        return true;
    }
    return false;
}

bool temporaryChat(Stage &stage)
{
    if (!stage.model.chat()->temporary())
        stage.model.chat()->openTemporary();
    return stage.model.chat()->temporary();
}

/// From here on there is space for next to nothing.
bool limitDisk(Stage &stage)
{
    stage.application.store().run([](ConversationStore &store) {
        const auto pages = store.database().integer("PRAGMA page_count");
        (void)store.database().integer("PRAGMA max_page_count = " + std::to_string(*pages + 1));
    });
    return true;
}

/// Types more than the draft has space for.
bool typeTooMuch(Stage &stage)
{
    stage.model.composer()->setText("And how far is the Sun?" + QString(20'000, QChar(0x200b)));
    return true;
}

bool diskFull(Stage &stage)
{
    return stage.model.disk()->full();
}

bool showDetails(Stage &stage)
{
    const ui::TranscriptModel *transcript = stage.model.chat()->transcript();
    QObject *dialog = stage.window.findChild<QObject *>(QStringLiteral("detailsDialog"));
    return dialog && QMetaObject::invokeMethod(
                         dialog, "show", Q_ARG(QVariant, transcript->row(transcript->count() - 1).text));
}

/// Where the program has its chats.
QString backupPlace(Stage &stage)
{
    return QString::fromStdString((stage.application.dataFolder() / "backups").string());
}

bool backUp(Stage &stage)
{
    QDir().mkpath(backupPlace(stage));
    stage.model.transfer()->backUp(QUrl::fromLocalFile(backupPlace(stage)));
    return true;
}

bool transferred(Stage &stage)
{
    return !stage.model.transfer()->running() && !stage.model.transfer()->summary().isEmpty();
}

bool closeDialog(Stage &stage)
{
    QObject *dialog = stage.window.findChild<QObject *>(QStringLiteral("transferDialog"));
    return dialog && QMetaObject::invokeMethod(dialog, "close");
}

bool restoreBackup(Stage &stage)
{
    const QString place = backupPlace(stage);
    const QStringList made = QDir(place).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    if (made.isEmpty())
        return false;
    stage.application.store().run([](ConversationStore &store) {
        const auto id = store.create("Another chat, begun since");
        (void)store.remove(1);
        (void)id;
    });
    stage.model.transfer()->restore(QUrl::fromLocalFile(place + '/' + made.front()));
    return true;
}

ScriptedReply stages(Progress::Stage last)
{
    ScriptedReply reply;
    reply.pause = 60ms;
    for (int more = 0; more < (last == Progress::Stage::Vision ? 100 : 2); ++more)
        reply.events.emplace_back(Progress{Progress::Stage::Vision, more > 0 ? 1U : 0U, 2});
    if (last == Progress::Stage::Prefill) {
        for (std::uint64_t done = 0; done < 4096; done += 64)
            reply.events.emplace_back(Progress{Progress::Stage::Prefill, done, 4096});
    }
    for (int more = 0; more < 100; ++more)
        reply.events.emplace_back(Progress{Progress::Stage::Prefill, 4000, 4096});
    reply.events.emplace_back(TextDelta{"Two shapes."});
    return reply;
}

ScriptedReply failing()
{
    ScriptedReply reply;
    reply.events.emplace_back(TextDelta{"The picture shows"});
    reply.error =
        Error{ErrorCode::OutOfMemory,
              "answering: the device has 1.9 GiB free, but the context of 65536 tokens takes 2.4 GiB; "
              "a smaller --context fits"};
    return reply;
}

void sayInTurn(Script &script, std::initializer_list<const char *> files)
{
    for (const char *file : files)
        script.say(answer(file));
}

} // namespace

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<Scene> &scenes()
{
    static const auto picture = [](Script &script) {
        script.say("An orange triangle is at the bottom left, and a purple square is on the right.", 5ms);
        script.say("The square is purple.", 5ms);
    };
    static const std::vector<Step> askAboutPicture = {attach("two_shapes.png"),
                                                      attached,
                                                      type("Describe the image."),
                                                      send,
                                                      answered,
                                                      type("What color is the square?"),
                                                      send,
                                                      answered,
                                                      wait(3000ms)};
    static const std::vector<Scene> all = {
        {"empty", "a new chat", {}, {wait(400ms)}},
        {"attached",
         "pictures and a clip beside a question", {},
         {attach("two_shapes.png"), attach("moving_circle.mp4"), attached, type("What is different?"),
          wait(400ms)}},
        {"seen_picture",
         "what the model sees of a picture", {},
         {attach("two_shapes.png"), attached, look(0), wait(600ms)}},
        {"seen_clip",
         "what the model sees of a clip", {},
         {attach("moving_circle.mp4"), attached, look(0), wait(600ms)}},
        {"seen_part",
         "a part of a clip, in less detail", {},
         {attach("moving_circle.mp4"), attached, look(0), part(0.5, 1.5), wait(600ms), attached, lowDetail,
          wait(100ms), attached, wait(600ms)}},
        {"picture", "answers about a picture", picture, askAboutPicture},
        {"clip",
         "an answer about a clip", [](Script &script) { script.say("A yellow circle moves to the top right."); },
         {attach("moving_circle.mp4"), attached, type("What happens in the video?"), send, answered,
          wait(3000ms)}},
        {"clip_part",
         "parts of what was sent, in less detail", [](Script &script) { script.say("A yellow circle moves up."); },
         {attach("moving_circle.mp4"), attach("two_shapes.png"), attached, look(1), lowDetail, wait(100ms),
          attached, look(0), part(0.5, 1.5), wait(600ms), attached, closeSeen, wait(300ms),
          type("What happens here?"), send, answered, wait(3000ms)}},
        {"streaming",
         "an answer while it is written", [](Script &script) { script.say(answer("binary_search.md"), 30ms); },
         {type("How does binary search work?"), send, rows(6), wait(300ms)}},
        {"markdown",
         "all kinds of blocks", [](Script &script) { sayInTurn(script, {"blocks.md"}); },
         {type("Show me everything."), send, answered, wait(400ms)}},
        {"formulas",
         "formulas in lines and on their own", [](Script &script) { sayInTurn(script, {"formulas.md"}); },
         {type("How are quadratic equations solved?"), send, answered, wait(1200ms)}},
        {"chinese",
         "a conversation in Chinese", [](Script &script) { sayInTurn(script, {"chinese.md"}); },
         {type("请用中文介绍一下月球。"), send, answered, wait(400ms)}},
        {"arabic",
         "a conversation in Arabic", [](Script &script) { sayInTurn(script, {"arabic.md"}); },
         {type("حدثني عن القمر من فضلك."), send, answered, wait(400ms)}},
        {"thinking",
         "thoughts, unfolded", [](Script &script) {
             script.say(
                 thinkingReply("The person asks for seventeen times twenty-four. Seventeen times twenty is "
                               "340, and seventeen times four is 68. Together that makes 408.",
                               "17 × 24 = **408**."));
         }, {type("What is 17 times 24?"), send, answered, unfold, wait(400ms)}},
        {"tools",
         "a call, unfolded", [](Script &script) { script.say(toolReply()); },
         {type("How will the weather be in Lisbon?"), send, answered, unfold, wait(400ms)}},
        {"asking",
         "a call that asks whether it may be run", [](Script &script) { script.say(calculation()); },
         {toolsOn, type("What is 17 times 24?"), send, asks, wait(900ms)}},
        {"broken-call",
         "a call that broke off, unfolded", [](Script &script) { script.say(brokenCall()); },
         {toolsOn, type("What is 17 times 24?"), send, answered, unfold, wait(400ms)}},
        {"switches",
         "the list of tools, some of them on", [](Script &) {},
         {toolsOn, press("Tools: 2"), press("read_file"), wait(600ms)}},
        {"calculated",
         "a call, its result and the answer", [](Script &script) {
             script.say(calculation());
             script.say("17 × 24 = **408**.");
         }, {toolsOn, type("What is 17 times 24?"), send, allowed, answered, unfold, wait(400ms)}},
        {"vision",
         "while a picture is looked at", [](Script &script) { script.say(stages(Progress::Stage::Vision)); },
         {attach("two_shapes.png"), attach("three_shapes.png"), attached, type("Compare them."), send,
          wait(3000ms)}},
        {"prefill",
         "while the prompt is read", [](Script &script) { script.say(stages(Progress::Stage::Prefill)); },
         {type("Summarise what I pasted."), send, wait(2600ms)}},
        {"failure",
         "an answer that failed", [](Script &script) { script.say(failing()); },
         {attach("two_shapes.png"), attached, type("Describe the image."), send, answered, wait(2500ms)}},
        {"nomodel",
         "a model that can't be opened", [](Script &script) {
             for (int time = 0; time < 4; ++time)
                 script.failToOpen(
                     {ErrorCode::NotFound, "opening the model: /home/ada/models/Kimi-VL has no config.json"});
         }, {type("Hello"), send, answered, wait(400ms)}},
        {"restart",
         "everything is there again", [](Script &script) {
             script.say("The Moon is about 384,400 km away.");
             script.say(answer("binary_search.md"));
             script.say("An orange triangle is at the bottom left, and a purple square is on the right.");
         }, {type("How far is the Moon?"), send, answered, newChat, type("How does binary search work?"), send,
          answered, newChat, attach("two_shapes.png"), attached, type("Describe the image."), send, answered,
          type("And what else could"), wait(900ms)},
         true},
        {"sorted",
         "pinned, tagged and in a folder", [](Script &script) {
             script.say("The Moon is about 384,400 km away.");
             script.say("Lisbon in spring, then.");
             script.say("指针悬空了。");
         }, {type("How far is the Moon?"), send, answered, newChat, type("Where shall we go in April?"), send,
          answered, newChat, type("这是什么错误?"), send, answered,
          [](Stage &stage) {
              ui::ConversationListModel *list = stage.model.conversations();
              if (list->count() < 3)
                  return false;
              const auto id = [list](int row) {
                  return list->index(row).data(ui::ConversationListModel::IdRole).toLongLong();
              };
              const qint64 travel = id(1);
              list->setPinned(id(2), true);
              list->moveTo(travel, QStringLiteral("Travel"));
              list->setTags(travel, QStringLiteral("spring, 2026"));
              return true;
          },
          wait(900ms)}},
        {"exporting",
         "what of a chat becomes which document", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {type("How far is the Moon?"), send, answered,
          [](Stage &stage) {
              ui::ConversationListModel *list = stage.model.conversations();
              if (list->count() < 1)
                  return false;
              list->moveTo(stage.model.chat()->conversation(), QStringLiteral("Sky"));
              return true;
          },
          wait(500ms),
          [](Stage &stage) {
              QObject *dialog = stage.window.findChild<QObject *>(QStringLiteral("exportDialog"));
              return dialog && QMetaObject::invokeMethod(dialog, "ask",
                                                         Q_ARG(QVariant, stage.model.chat()->conversation()),
                                                         Q_ARG(QVariant, stage.model.chat()->title()),
                                                         Q_ARG(QVariant, QStringLiteral("Sky")));
          },
          wait(900ms)}},
        {"found",
         "messages that were searched for, and the jump to one", [](Script &script) {
             script.say(answer("binary_search.md"));
             script.say("Das Straßenfest beginnt um acht.");
         }, {type("How does binary search work?"), send, answered, newChat, type("Wann beginnt das Fest?"), send,
          answered,
          [](Stage &stage) {
              stage.model.conversations()->setFilter(QStringLiteral("strasse"));
              return true;
          },
          [](Stage &stage) {
              const ui::ConversationListModel *list = stage.model.conversations();
              if (list->count() != 1)
                  return false;
              stage.model.chat()->openAt(
                  list->index(0).data(ui::ConversationListModel::IdRole).toLongLong(),
                  list->index(0).data(ui::ConversationListModel::MessageRole).toLongLong(), list->filter());
              return true;
          },
          wait(900ms)}},
        {"commands",
         "the command palette", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {type("How far is the Moon?"), send, answered, run(ui::Commands::ShowCommands), wait(600ms)}},
        {"shortcuts", "the keyboard shortcuts", {}, {run(ui::Commands::ShowShortcuts), wait(600ms)}},
        {"settings", "how it looks and how it answers", {}, {run(ui::Commands::ShowSettings), wait(600ms)}},
        {"large_text",
         "text of twice the size", [](Script &script) { script.say(answer("binary_search.md")); },
         {[](Stage &stage) {
              stage.model.appearance()->setTextScale(2);
              return true;
          },
          type("How does binary search work?"), send, answered, wait(900ms)}},
        {"contrast",
         "high contrast", [](Script &script) { script.say(answer("binary_search.md")); },
         {[](Stage &stage) {
              stage.model.appearance()->setHighContrast(true);
              return true;
          },
          type("How does binary search work?"), send, answered, wait(900ms)}},
        {"temporary", "a chat that leaves no trace, not begun", {}, {temporaryChat, wait(500ms)}},
        {"temporary_chat",
         "a chat that leaves no trace", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {temporaryChat, type("How far is the Moon?"), send, answered, wait(500ms)}},
        {"full_disk",
         "a disk without space", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {type("How far is the Moon?"), send, answered, limitDisk, typeTooMuch, diskFull, wait(500ms)}},
        {"details",
         "how an answer came about", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {type("How far is the Moon?"), send, answered, wait(300ms), showDetails, wait(500ms)}},
        {"filtered",
         "a search that is narrowed", [](Script &script) {
             script.say("The Moon is about 384,400 km away.");
             script.say("Io is a moon of Jupiter.");
         }, {type("How far is the Moon?"), send, answered, newChat, type("What is Io, a moon?"), send, answered,
          [](Stage &stage) {
              ui::ConversationListModel *list = stage.model.conversations();
              list->setTags(stage.model.chat()->conversation(), QStringLiteral("astronomy"));
              list->setFilter(QStringLiteral("moon"));
              list->setRoleFilter(QStringLiteral("assistant"));
              return true;
          },
          [](Stage &stage) {
              ui::ConversationListModel *list = stage.model.conversations();
              return !list->tags().isEmpty() && list->count() > 1;
          },
          wait(900ms)}},
        {"restored",
         "what became of the chats of a backup", [](Script &script) { script.say("The Moon is about 384,400 km away."); },
         {type("How far is the Moon?"), send, answered, backUp, transferred, closeDialog, restoreBackup,
          transferred, wait(600ms)}},
        {"stopped",
         "an answer that was stopped", [](Script &script) { script.say(answer("binary_search.md"), 30ms); },
         {type("How does binary search work?"), send, rows(3),
          [](Stage &stage) {
              stage.model.chat()->stop();
              return true;
          },
          answered, wait(300ms)}},
    };
    return all;
}

const std::vector<Step> &reopened()
{
    static const std::vector<Step> steps = {openConversation(0), rows(3), wait(3000ms)};
    return steps;
}

} // namespace perilune::test
