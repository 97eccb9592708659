#include "ui/viewmodel/window_model.h"

#include <chrono>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kSaveDelay{500};

} // namespace

WindowModel::WindowModel(Application &application, Appearance::Scheme scheme, QObject *parent)
    : QObject(parent),
      m_application(application),
      m_settings(application.settings()),
      m_appearance(scheme),
      m_conversations(application.store()),
      m_engine(application.turns()),
      m_composer(
          application.store(),
          [&application](const MediaPart &part, std::stop_token stop, auto then) {
              application.attach(part, std::move(stop), std::move(then));
          },
          [&application](std::function<void()> job, std::function<void()> then) {
              application.onMediaThread(
                  [job = std::move(job), then = std::move(then), post = application.post()] {
                      job();
                      post(then, {});
                  });
          }),
      m_exporter(application.store()),
      m_chat({.store = &application.store(),
              .turns = &application.turns(),
              .composer = &m_composer,
              .engine = &m_engine,
              .settings = [this] { return m_settings; },
              .tools = &application.tools(),
              .toolChoices = &application.toolChoices()})
{
    for (const std::string &notice : application.notices())
        m_notices += QString::fromStdString(notice);
    if (!application.readOnlyReason().empty())
        showNotice(QString::fromStdString(application.readOnlyReason()));

    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(kSaveDelay);
    connect(&m_saveTimer, &QTimer::timeout, this, &WindowModel::save);
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

    m_chat.openNew();
    m_conversations.refresh();
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
    if (const Status saved = m_application.saveSettings(m_settings); !saved)
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
