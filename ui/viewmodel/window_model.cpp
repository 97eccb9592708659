#include "ui/viewmodel/window_model.h"

#include <QPointer>

#include <chrono>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kSaveDelay{500};

Settings::Theme themeOf(Appearance::Scheme scheme)
{
    switch (scheme) {
    case Appearance::Scheme::Light: return Settings::Theme::Light;
    case Appearance::Scheme::Dark: return Settings::Theme::Dark;
    case Appearance::Scheme::System: break;
    }
    return Settings::Theme::System;
}

} // namespace

WindowModel::WindowModel(Application &application, Appearance::Scheme scheme, QObject *parent)
    : QObject(parent),
      m_application(application),
      m_settings(application.settings()),
      m_disk(application.store(), QString::fromStdString(application.dataFolder().string())),
      m_startScheme(scheme),
      m_appearance(scheme),
      m_conversations(application.store()),
      m_engine(application.turns()),
      m_composer(
          {.storeOf = [&application](ConversationId id) -> StoreThread & { return application.storeOf(id); },
           .attach =
               [&application](const MediaPart &part, std::stop_token stop, auto progress, auto then) {
                   application.attach(part, std::move(stop), std::move(progress), std::move(then));
               },
           .inBackground =
               [&application](std::function<void()> job, std::function<void()> then) {
                   application.onMediaThread(
                       [job = std::move(job), then = std::move(then), post = application.post()] {
                           job();
                           post(then, {});
                       });
               },
           .temporaryFolder = QString::fromStdString(application.temporaryFolder().string())}),
      m_exporter(application.store()),
      m_transfer(application.dataFolder(), application.post()),
      m_parameters(
          m_settings, [this] { return m_engine.suggestedSampling(); },
          [this](const SamplingWishes &sampling, std::uint32_t maxNewTokens) {
              m_settings.sampling = sampling;
              m_settings.maxNewTokens = maxNewTokens;
              m_saveTimer.start();
          }),
      m_commands(m_settings.shortcuts, [this](Commands::Command command) { return isPossible(command); }),
      m_chat(
          {.storeOf = [&application](ConversationId id) -> StoreThread & { return application.storeOf(id); },
           .turns = &application.turns(),
           .composer = &m_composer,
           .engine = &m_engine,
           .settings = [this] { return m_settings; },
           .tools = &application.tools(),
           .toolChoices = &application.toolChoices()})
{
    for (const std::string &notice : application.notices())
        m_notices += QString::fromStdString(notice);
    application.whenStoreOpened([self = QPointer(this)](const std::string &readOnlyReason) {
        if (self && !readOnlyReason.empty())
            self->showNotice(QString::fromStdString(readOnlyReason));
    });

    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(kSaveDelay);
    connect(&m_saveTimer, &QTimer::timeout, this, &WindowModel::save);
    connectModels();
    m_appearance.setTextScale(m_settings.textScale);
    m_appearance.setHighContrast(m_settings.highContrast);
    m_appearance.setReducedMotion(m_settings.reducedMotion);
    connect(&m_appearance, &Appearance::changed, this, &WindowModel::keepAppearance);
    connect(&m_engine, &EngineStatus::changed, &m_parameters, &AnswerParameters::refresh);
    connectCommands();

    m_chat.openNew();
    m_conversations.refresh();
    m_commands.refresh();
}

void WindowModel::connectModels()
{
    connect(&m_chat, &Chat::diskFull, &m_disk, &DiskSpace::ranOut);
    connect(&m_conversations, &ConversationListModel::diskFull, &m_disk, &DiskSpace::ranOut);
    connect(&m_composer, &Composer::diskFull, &m_disk, &DiskSpace::ranOut);
    connect(&m_transfer, &Transfer::diskFull, &m_disk, &DiskSpace::ranOut);
    connect(&m_transfer, &Transfer::chatsCame, &m_conversations, &ConversationListModel::refresh);
    connect(&m_disk, &DiskSpace::spaceAgain, &m_composer, &Composer::saveAgain);
    connect(&m_disk, &DiskSpace::spaceAgain, this, [this] {
        m_saveTimer.start();
        emit toast(tr("There is space on the disk again."), false);
    });
    connect(&m_chat, &Chat::leftTemporary, this, [this] {
        m_undo = [this] { m_chat.returnToTemporary(); };
        emit toast(tr("You left the temporary chat."), true);
    });
    connect(&m_chat, &Chat::listChanged, &m_conversations, &ConversationListModel::refresh);
    connect(&m_chat, &Chat::failed, this, &WindowModel::showNotice);
    connect(&m_conversations, &ConversationListModel::failed, this, &WindowModel::showNotice);
    connect(&m_composer, &Composer::refused, this, [this](const QString &why) { emit toast(why, false); });
    connect(&m_conversations, &ConversationListModel::removed, this, [this](qint64 id, const QString &title) {
        m_chat.forget(id);
        m_undo = [this] { m_conversations.undoRemove(); };
        emit toast(tr("“%1” is in the bin.").arg(title), true);
    });
    connect(&m_exporter, &Exporter::finished, this,
            [this](const QString &sentence) { emit toast(sentence, false); });
    connect(&m_exporter, &Exporter::noted, this, &WindowModel::showNotice);
    connect(&m_chat, &Chat::removed, this, [this](const QString &sentence) {
        m_undo = [this] { m_chat.undoRemove(); };
        emit toast(sentence, true);
    });
    connect(&m_conversations, &ConversationListModel::updated, this, [this] {
        const QString title = m_conversations.titleOf(m_chat.conversation());
        if (!title.isEmpty())
            m_chat.setTitle(m_chat.conversation(), title);
    });
}

/// Those that need nothing of what is drawn; the window does the others.
void WindowModel::connectCommands()
{
    const auto step = [this](int by) {
        if (const qint64 other = m_conversations.neighbour(m_chat.conversation(), by))
            m_chat.open(other);
    };
    connect(&m_commands, &Commands::nextChat, this, [step] { step(1); });
    connect(&m_commands, &Commands::previousChat, this, [step] { step(-1); });
    connect(&m_commands, &Commands::stop, &m_chat, &Chat::stop);
    connect(&m_commands, &Commands::answerAgain, this,
            [this] { m_chat.answerAgain(m_chat.lastMessage(true)); });
    connect(&m_commands, &Commands::copyAnswer, this, [this] {
        m_chat.copyMessage(m_chat.lastMessage(true));
        emit toast(tr("The answer is copied."), false);
    });
    connect(&m_commands, &Commands::exportChat, this,
            [this] { emit exportWanted(m_chat.conversation(), m_chat.title()); });
    connect(&m_commands, &Commands::toggleThinking, this, [this] { setThinking(!thinking()); });
    connect(&m_commands, &Commands::largerText, this, [this] { m_appearance.stepText(1); });
    connect(&m_commands, &Commands::smallerText, this, [this] { m_appearance.stepText(-1); });
    connect(&m_commands, &Commands::usualText, this, [this] { m_appearance.setTextScale(1); });
    connect(&m_commands, &Commands::shortcutsChanged, this, [this] {
        m_settings.shortcuts = m_commands.changes();
        m_saveTimer.start();
    });
}

bool WindowModel::isPossible(Commands::Command command) const
{
    switch (command) {
    case Commands::Stop: return m_chat.busy();
    case Commands::AnswerAgain: return !m_chat.busy() && m_chat.lastMessage(true) != 0;
    case Commands::EditLast: return !m_chat.busy() && m_chat.lastMessage(false) != 0;
    case Commands::CopyAnswer: return m_chat.lastMessage(true) != 0;
    case Commands::GoToEnd: return !m_chat.empty();
    case Commands::ExportChat: return m_chat.conversation() != 0;
    case Commands::NextChat:
    case Commands::PreviousChat: return m_conversations.count() > 0;
    default: return true;
    }
}

void WindowModel::keepAppearance()
{
    // One that the command line asked for holds for this run only.
    m_schemeChosen = m_schemeChosen || m_appearance.scheme() != m_startScheme;
    if (m_schemeChosen)
        m_settings.theme = themeOf(m_appearance.scheme());
    m_settings.textScale = m_appearance.textScale();
    m_settings.highContrast = m_appearance.highContrast();
    m_settings.reducedMotion = m_appearance.reducedMotion();
    m_saveTimer.start();
}

WindowModel::~WindowModel()
{
    if (m_saveTimer.isActive())
        save();
}

void WindowModel::setThinking(bool thinking)
{
    if (m_settings.thinking == thinking)
        return;
    m_settings.thinking = thinking;
    m_saveTimer.start();
    emit thinkingChanged();
}

void WindowModel::keepWindow(int width, int height, bool maximized)
{
    m_settings.windowMaximized = maximized;
    if (!maximized) {
        m_settings.windowWidth = width;
        m_settings.windowHeight = height;
    }
    m_saveTimer.start();
}

void WindowModel::save()
{
    m_saveTimer.stop();
    const Status saved = m_application.saveSettings(m_settings);
    if (!saved && saved.error().code == ErrorCode::NoSpace)
        m_disk.ranOut();
    else if (!saved)
        showNotice(QString::fromStdString(saved.error().message));
}

void WindowModel::showNotice(const QString &sentence)
{
    if (m_notices.contains(sentence))
        return;
    m_notices += sentence;
    emit noticesChanged();
}

void WindowModel::dismissNotice(int index)
{
    if (index < 0 || index >= m_notices.size())
        return;
    m_notices.removeAt(index);
    emit noticesChanged();
}

void WindowModel::undo()
{
    if (const std::function<void()> undo = std::exchange(m_undo, {}))
        undo();
}

} // namespace perilune::ui
