#pragma once

#include "app/turn/attachment.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QTest>

#include <chrono>
#include <memory>
#include <string>

namespace perilune::test {

constexpr int kPatienceMs = 20000;

/// The models of a window in a folder, on a scripted engine; what they are drawn with only where it is asked
/// for.
struct Program {
    enum class Drawn { No, Yes };

    explicit Program(const QString &folder, Drawn drawn = Drawn::No,
                     std::chrono::milliseconds titlesAfter = {})
        : script(std::make_shared<Script>())
    {
        const std::string path = folder.toStdString();
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = ui::guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = prepareMedia,
                                         .visionConfigPath = {},
                                         .log = {},
                                         .titlesAfter = titlesAfter});
        if (drawn == Drawn::Yes)
            window = std::make_unique<ui::Window>(
                *application, ui::WindowOptions{.theme = Settings::Theme::Light, .loadEngine = false});
        else
            undrawn = std::make_unique<ui::WindowModel>(*application, ui::Appearance::Scheme::Light);
        model = window ? &window->model() : undrawn.get();
        chat = model->chat();
        list = model->conversations();
    }

    /// Sends `question`; the engine will say `answer`.
    void ask(const QString &question, const std::string &answer, std::chrono::milliseconds pause = {}) const
    {
        script->say(answer, pause);
        model->composer()->setText(question);
        // A chat that was just opened may still be read.
        (void)QTest::qWaitFor([this] { return chat->canSend() || chat->busy(); }, kPatienceMs);
        chat->send();
    }
    /// The same, and waits for the end of the answer.
    bool converse(const QString &question, const std::string &answer) const
    {
        ask(question, answer);
        return QTest::qWaitFor(
            [this, &answer] { return idle() && texts().contains(QString::fromStdString(answer)); },
            kPatienceMs);
    }
    bool idle() const { return !chat->busy() && chat->canSend() == model->composer()->ready(); }
    /// The texts of what people and model said, in view.
    QStringList texts() const
    {
        QStringList found;
        for (int row = 0; row < chat->transcript()->count(); ++row) {
            const ui::TranscriptRow &shown = chat->transcript()->row(row);
            if (shown.kind == ui::RowKind::UserText || shown.kind == ui::RowKind::Markdown)
                found += QString(shown.text).remove("<p>").remove("</p>");
        }
        return found;
    }
    /// The last row of a kind; null where there is none.
    const ui::TranscriptRow *last(ui::RowKind::Value kind) const
    {
        for (int row = chat->transcript()->count() - 1; row >= 0; --row) {
            if (chat->transcript()->row(row).kind == kind)
                return &chat->transcript()->row(row);
        }
        return nullptr;
    }
    /// The message whose text is `text`; 0 where it isn't in view.
    qint64 message(const QString &text) const
    {
        for (int row = 0; row < chat->transcript()->count(); ++row) {
            if (chat->transcript()->row(row).text.contains(text))
                return chat->transcript()->row(row).message;
        }
        return 0;
    }
    QStringList titles() const
    {
        QStringList found;
        for (int row = 0; row < list->count(); ++row)
            found += list->index(row).data(ui::ConversationListModel::TitleRole).toString();
        return found;
    }
    qint64 idAt(int row) const
    {
        return list->index(row).data(ui::ConversationListModel::IdRole).toLongLong();
    }
    /// What `question` finds in the store.
    template <typename Question>
    auto asked(Question question) const
    {
        std::optional<decltype(question(std::declval<ConversationStore &>()))> answer;
        application->store().ask(question, [&answer](auto found) { answer = std::move(found); });
        (void)QTest::qWaitFor([&answer] { return answer.has_value(); }, kPatienceMs);
        return *std::move(answer);
    }
    /// From here on the disk has room for `pages` more pages of the database only; 0: as much as it wants.
    void limitDisk(int pages) const
    {
        (void)asked([pages](ConversationStore &store) {
            const auto used = *store.database().integer("PRAGMA page_count");
            return store.database()
                .integer("PRAGMA max_page_count = " + std::to_string(pages > 0 ? used + pages : 1'000'000))
                .has_value();
        });
    }

    std::shared_ptr<Script> script;
    std::unique_ptr<Application> application;
    std::unique_ptr<ui::Window> window;
    std::unique_ptr<ui::WindowModel> undrawn;
    ui::WindowModel *model = nullptr;
    ui::Chat *chat = nullptr;
    ui::ConversationListModel *list = nullptr;
};

} // namespace perilune::test
