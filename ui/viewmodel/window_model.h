#pragma once

#include "app/application.h"
#include "ui/viewmodel/answer_parameters.h"
#include "ui/viewmodel/appearance.h"
#include "ui/viewmodel/chat.h"
#include "ui/viewmodel/commands.h"
#include "ui/viewmodel/composer.h"
#include "ui/viewmodel/conversation_list_model.h"
#include "ui/viewmodel/disk_space.h"
#include "ui/viewmodel/engine_status.h"
#include "ui/viewmodel/exporter.h"
#include "ui/viewmodel/transfer.h"

#include <QGuiApplication>
#include <QTimer>

#include <functional>

namespace perilune::ui {

/// All that Main.qml is given: the models of the window and what of it is kept between runs.
class WindowModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("the window makes one")
    Q_PROPERTY(perilune::ui::Appearance *appearance READ appearance CONSTANT)
    Q_PROPERTY(perilune::ui::ConversationListModel *conversations READ conversations CONSTANT)
    Q_PROPERTY(perilune::ui::EngineStatus *engine READ engine CONSTANT)
    Q_PROPERTY(perilune::ui::Composer *composer READ composer CONSTANT)
    Q_PROPERTY(perilune::ui::Chat *chat READ chat CONSTANT)
    Q_PROPERTY(perilune::ui::Exporter *exporter READ exporter CONSTANT)
    Q_PROPERTY(perilune::ui::Commands *commands READ commands CONSTANT)
    Q_PROPERTY(perilune::ui::AnswerParameters *parameters READ parameters CONSTANT)
    Q_PROPERTY(perilune::ui::Transfer *transfer READ transfer CONSTANT)
    Q_PROPERTY(perilune::ui::DiskSpace *disk READ disk CONSTANT)
    Q_PROPERTY(bool thinking READ thinking WRITE setThinking NOTIFY thinkingChanged)
    Q_PROPERTY(QStringList notices READ notices NOTIFY noticesChanged)
    Q_PROPERTY(bool mirrored READ mirrored CONSTANT)
    Q_PROPERTY(int startWidth READ startWidth CONSTANT)
    Q_PROPERTY(int startHeight READ startHeight CONSTANT)
    Q_PROPERTY(bool startMaximized READ startMaximized CONSTANT)

public:
    WindowModel(Application &application, Appearance::Scheme scheme, QObject *parent = nullptr);
    ~WindowModel() override;

    Appearance *appearance() { return &m_appearance; }
    ConversationListModel *conversations() { return &m_conversations; }
    EngineStatus *engine() { return &m_engine; }
    Composer *composer() { return &m_composer; }
    Chat *chat() { return &m_chat; }
    Exporter *exporter() { return &m_exporter; }
    Commands *commands() { return &m_commands; }
    AnswerParameters *parameters() { return &m_parameters; }
    Transfer *transfer() { return &m_transfer; }
    DiskSpace *disk() { return &m_disk; }

    bool thinking() const { return m_settings.thinking; }
    void setThinking(bool thinking);

    /// Sentences that stand above the chat until they are dismissed.
    QStringList notices() const { return m_notices; }
    Q_INVOKABLE void dismissNotice(int index);
    /// Takes back what the last toast with `undo` told of.
    Q_INVOKABLE void undo();

    /// The language of the window is written from right to left.
    bool mirrored() const { return QGuiApplication::layoutDirection() == Qt::RightToLeft; }

    int startWidth() const { return m_settings.windowWidth; }
    int startHeight() const { return m_settings.windowHeight; }
    bool startMaximized() const { return m_settings.windowMaximized; }
    /// To be called when the window changes; kept for the next run.
    Q_INVOKABLE void keepWindow(int width, int height, bool maximized);

signals:
    void thinkingChanged();
    void noticesChanged();
    /// The person wants a conversation as a document, and is to be asked which.
    void exportWanted(const QVariant &conversation, const QString &title);
    /// Something to say for a moment; with `undo` it can be taken back by undo().
    void toast(const QString &sentence, bool undo);

private:
    void save();
    void connectModels();
    void connectCommands();
    bool isPossible(Commands::Command command) const;
    void keepAppearance();
    void showNotice(const QString &sentence);

    Application &m_application;
    Settings m_settings;
    QTimer m_saveTimer;
    QStringList m_notices;
    DiskSpace m_disk;
    std::function<void()> m_undo;
    const Appearance::Scheme m_startScheme;
    bool m_schemeChosen = false; ///< by the person, in this run
    Appearance m_appearance;
    ConversationListModel m_conversations;
    EngineStatus m_engine;
    Composer m_composer;
    Exporter m_exporter;
    Transfer m_transfer;
    AnswerParameters m_parameters;
    Commands m_commands;
    Chat m_chat; // last: it uses the members above
};

} // namespace perilune::ui
