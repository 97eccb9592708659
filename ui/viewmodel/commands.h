#pragma once

#include <QAbstractListModel>
#include <QKeySequence>
#include <QQmlEngine>
#include <QStringList>
#include <QVariantList>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace perilune::ui {

/// What can be done from the keyboard: each command with a title, and a shortcut that can be changed. As a
/// list it is what the palette offers: the commands that are possible now and match `filter`. Who runs a
/// command's signal does it.
class Commands : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.commands")
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QVariantList shortcuts READ shortcuts NOTIFY shortcutsChanged)
    Q_PROPERTY(bool usual READ usual NOTIFY shortcutsChanged)
    Q_PROPERTY(QString fault READ fault NOTIFY faultChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Command {
        NewChat,
        FindChats,
        NextChat,
        PreviousChat,
        ToggleSidebar,
        Write,
        Attach,
        Stop,
        AnswerAgain,
        EditLast,
        CopyAnswer,
        GoToEnd,
        ExportChat,
        ToggleThinking,
        ShowCommands,
        ShowShortcuts,
        ShowSettings,
        LargerText,
        SmallerText,
        UsualText,
        Quit,
    };
    Q_ENUM(Command)

    enum ItemRole { CommandRole = Qt::UserRole, TitleRole, GroupRole, KeysRole };

    using Changes = std::map<std::string, std::string>; ///< a command's name in the settings to its keys

    /// `changes` are shortcuts other than the usual; what isn't known, can't be read or is taken is left out.
    /// `possible` says whether a command can be run now. The list is empty until refresh().
    Commands(const Changes &changes, std::function<bool(Command)> possible, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(m_rows.size()); }
    QString filter() const { return m_filter; }
    /// Words in any order; a command matches where its title or group has all of them.
    void setFilter(const QString &filter);
    /// Asks anew what is possible; to be called before the list is shown.
    Q_INVOKABLE void refresh();

    /// Runs the command at a row of the list, where it is possible.
    Q_INVOKABLE void runRow(int row);
    Q_INVOKABLE void run(int command);

    /// All commands, in order: maps of command, title, group, keys (to be shown), sequence (to be listened
    /// to) and changed.
    QVariantList shortcuts() const;
    /// Every command has its usual shortcut.
    bool usual() const { return changes().empty(); }
    Changes changes() const;
    /// Gives a command the keys that were just pressed. False while they are none yet (Ctrl alone), and where
    /// they can't be taken: fault() says why. Delete and Backspace take the shortcut away.
    Q_INVOKABLE bool record(int command, int key, int modifiers);
    Q_INVOKABLE void reset(int command);
    Q_INVOKABLE void resetAll();
    Q_INVOKABLE void clearFault() { setFault({}); }
    QString fault() const { return m_fault; }

signals:
    void filterChanged();
    void countChanged();
    void faultChanged();
    /// To be kept.
    void shortcutsChanged();

    void newChat();
    void findChats();
    void nextChat();
    void previousChat();
    void toggleSidebar();
    void write();
    void attach();
    void stop();
    void answerAgain();
    void editLast();
    void copyAnswer();
    void goToEnd();
    void exportChat();
    void toggleThinking();
    void showCommands();
    void showShortcuts();
    void showSettings();
    void largerText();
    void smallerText();
    void usualText();
    void quit();

private:
    void setFault(const QString &fault);
    bool assign(int command, const QKeySequence &keys);
    bool matches(int command) const;

    std::function<bool(Command)> m_possible;
    std::vector<QKeySequence> m_keys; // by command
    std::vector<int> m_rows;          // the commands in the list
    QString m_filter, m_fault;
};

} // namespace perilune::ui
