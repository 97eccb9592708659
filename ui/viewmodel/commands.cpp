#include "ui/viewmodel/commands.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <utility>

namespace perilune::ui {
namespace {

struct Entry {
    const char *name;  // in the settings; never changed
    const char *title; // to be translated
    const char *group;
    const char *keys; // the usual ones; portable
    void (Commands::*signal)();
};

constexpr const char *kChats = QT_TRANSLATE_NOOP("Commands", "Chats");
constexpr const char *kChat = QT_TRANSLATE_NOOP("Commands", "This chat");
constexpr const char *kWindow = QT_TRANSLATE_NOOP("Commands", "Window");

// In the order of Commands::Command.
const Entry kEntries[] = {
    {"new-chat",        QT_TRANSLATE_NOOP("Commands", "New chat"),                       kChats,  "Ctrl+N",         &Commands::newChat     },
    {"find-chats",      QT_TRANSLATE_NOOP("Commands", "Search the chats"),               kChats,  "Ctrl+F",         &Commands::findChats   },
    {"next-chat",       QT_TRANSLATE_NOOP("Commands", "Next chat in the list"),          kChats,  "Ctrl+PgDown",
     &Commands::nextChat                                                                                                                   },
    {"previous-chat",   QT_TRANSLATE_NOOP("Commands", "Previous chat in the list"),      kChats,  "Ctrl+PgUp",
     &Commands::previousChat                                                                                                               },
    {"toggle-sidebar",  QT_TRANSLATE_NOOP("Commands", "Show or hide the list of chats"), kChats,  "Ctrl+B",
     &Commands::toggleSidebar                                                                                                              },
    {"write",           QT_TRANSLATE_NOOP("Commands", "Write a message"),                kChat,   "Ctrl+L",         &Commands::write       },
    {"attach",          QT_TRANSLATE_NOOP("Commands", "Attach pictures and clips"),      kChat,   "Ctrl+O",
     &Commands::attach                                                                                                                     },
    {"stop",            QT_TRANSLATE_NOOP("Commands", "Stop the answer"),                kChat,   "Ctrl+.",         &Commands::stop        },
    {"answer-again",    QT_TRANSLATE_NOOP("Commands", "Answer the last message again"),  kChat,   "Ctrl+R",
     &Commands::answerAgain                                                                                                                },
    {"edit-last",       QT_TRANSLATE_NOOP("Commands", "Edit my last message"),           kChat,   "Ctrl+Up",
     &Commands::editLast                                                                                                                   },
    {"copy-answer",     QT_TRANSLATE_NOOP("Commands", "Copy the last answer"),           kChat,   "Ctrl+Shift+C",
     &Commands::copyAnswer                                                                                                                 },
    {"go-to-end",       QT_TRANSLATE_NOOP("Commands", "Go to the end"),                  kChat,   "Ctrl+Shift+End",
     &Commands::goToEnd                                                                                                                    },
    {"export-chat",     QT_TRANSLATE_NOOP("Commands", "Export this chat"),               kChat,   "Ctrl+E",
     &Commands::exportChat                                                                                                                 },
    {"toggle-thinking", QT_TRANSLATE_NOOP("Commands", "Thinking on or off"),             kChat,   "Ctrl+T",
     &Commands::toggleThinking                                                                                                             },
    {"show-commands",   QT_TRANSLATE_NOOP("Commands", "All commands"),                   kWindow, "Ctrl+K",
     &Commands::showCommands                                                                                                               },
    {"show-shortcuts",  QT_TRANSLATE_NOOP("Commands", "Keyboard shortcuts"),             kWindow, "F1",
     &Commands::showShortcuts                                                                                                              },
    {"show-settings",   QT_TRANSLATE_NOOP("Commands", "Settings"),                       kWindow, "Ctrl+,",         &Commands::showSettings},
    {"larger-text",     QT_TRANSLATE_NOOP("Commands", "Larger text"),                    kWindow, "Ctrl++",         &Commands::largerText  },
    {"smaller-text",    QT_TRANSLATE_NOOP("Commands", "Smaller text"),                   kWindow, "Ctrl+-",
     &Commands::smallerText                                                                                                                },
    {"usual-text",      QT_TRANSLATE_NOOP("Commands", "Text in its usual size"),         kWindow, "Ctrl+0",
     &Commands::usualText                                                                                                                  },
    {"quit",            QT_TRANSLATE_NOOP("Commands", "Quit"),                           kWindow, "Ctrl+Q",         &Commands::quit        },
};
constexpr int kCount = static_cast<int>(std::size(kEntries));
static_assert(kCount == Commands::Quit + 1);

/// None where `keys` can't be read.
QKeySequence portable(const char *keys)
{
    const QKeySequence read(QString::fromUtf8(keys), QKeySequence::PortableText);
    return read.count() == 1 && read[0].key() != Qt::Key_unknown ? read : QKeySequence();
}

QString translated(const char *words)
{
    return QCoreApplication::translate("Commands", words);
}

bool isCommand(int command)
{
    return command >= 0 && command < kCount;
}

/// Writing needs these: no command may take them.
bool isForWriting(const QKeySequence &keys)
{
    constexpr QKeySequence::StandardKey kNeeded[] = {
        QKeySequence::Copy, QKeySequence::Cut,  QKeySequence::Paste,
        QKeySequence::Undo, QKeySequence::Redo, QKeySequence::SelectAll,
    };
    return std::ranges::any_of(kNeeded, [&keys](QKeySequence::StandardKey key) {
        return QKeySequence::keyBindings(key).contains(keys);
    });
}

} // namespace

Commands::Commands(const Changes &changes, std::function<bool(Command)> possible, QObject *parent)
    : QAbstractListModel(parent),
      m_possible(std::move(possible)),
      m_keys(kCount)
{
    std::vector<int> usual;
    for (int command = 0; command < kCount; ++command) {
        const auto changed = changes.find(kEntries[command].name);
        const QKeySequence keys =
            changed == changes.end() ? QKeySequence() : portable(changed->second.c_str());
        const bool taken = !keys.isEmpty() && std::ranges::find(m_keys, keys) != m_keys.end();
        if (changed == changes.end() || taken || (keys.isEmpty() && !changed->second.empty()))
            usual.push_back(command);
        else
            m_keys[static_cast<std::size_t>(command)] = keys;
    }
    for (const int command : usual) { // what someone chose goes before what is usual
        const QKeySequence keys = portable(kEntries[command].keys);
        if (std::ranges::find(m_keys, keys) == m_keys.end())
            m_keys[static_cast<std::size_t>(command)] = keys;
    }
}

int Commands::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant Commands::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int command = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case CommandRole: return command;
    case Qt::DisplayRole:
    case TitleRole: return translated(kEntries[command].title);
    case GroupRole: return translated(kEntries[command].group);
    case KeysRole: return m_keys[static_cast<std::size_t>(command)].toString(QKeySequence::NativeText);
    default: return {};
    }
}

QHash<int, QByteArray> Commands::roleNames() const
{
    return {
        {CommandRole, "command"},
        {TitleRole,   "title"  },
        {GroupRole,   "group"  },
        {KeysRole,    "keys"   }
    };
}

bool Commands::matches(int command) const
{
    const QString text = translated(kEntries[command].title) + ' ' + translated(kEntries[command].group);
    const QStringList words = m_filter.split(' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(
        words, [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

void Commands::setFilter(const QString &filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
    emit filterChanged();
    refresh();
}

void Commands::refresh()
{
    const int before = count();
    beginResetModel();
    m_rows.clear();
    for (int command = 0; command < kCount; ++command) {
        if (m_possible(static_cast<Command>(command)) && matches(command))
            m_rows.push_back(command);
    }
    endResetModel();
    if (count() != before)
        emit countChanged();
}

void Commands::runRow(int row)
{
    if (row >= 0 && row < count())
        run(m_rows[static_cast<std::size_t>(row)]);
}

void Commands::run(int command)
{
    if (isCommand(command) && m_possible(static_cast<Command>(command)))
        emit(this->*kEntries[command].signal)();
}

QVariantList Commands::shortcuts() const
{
    QVariantList all;
    for (int command = 0; command < kCount; ++command) {
        const Entry &entry = kEntries[command];
        const QKeySequence &keys = m_keys[static_cast<std::size_t>(command)];
        all += QVariantMap{
            {"command",  command                                  },
            {"title",    translated(entry.title)                  },
            {"group",    translated(entry.group)                  },
            {"keys",     keys.toString(QKeySequence::NativeText)  },
            {"sequence", keys.toString(QKeySequence::PortableText)},
            {"changed",  keys != portable(entry.keys)             }
        };
    }
    return all;
}

Commands::Changes Commands::changes() const
{
    Changes changed;
    for (int command = 0; command < kCount; ++command) {
        const QKeySequence &keys = m_keys[static_cast<std::size_t>(command)];
        if (keys != portable(kEntries[command].keys))
            changed[kEntries[command].name] = keys.toString(QKeySequence::PortableText).toStdString();
    }
    return changed;
}

bool Commands::record(int command, int key, int modifiers)
{
    setFault({});
    if (!isCommand(command) || key == 0 || key == Qt::Key_unknown || key == Qt::Key_Control ||
        key == Qt::Key_Shift || key == Qt::Key_Alt || key == Qt::Key_AltGr || key == Qt::Key_Meta)
        return false;
    const auto held = Qt::KeyboardModifiers(modifiers) & ~Qt::KeyboardModifiers(Qt::KeypadModifier);
    if (held == Qt::NoModifier && (key == Qt::Key_Delete || key == Qt::Key_Backspace))
        return assign(command, {});
    const bool isFunctionKey = key >= Qt::Key_F1 && key <= Qt::Key_F35;
    if (!isFunctionKey && !(held & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        setFault(tr("A shortcut needs Ctrl, Alt or a function key: the others write."));
        return false;
    }
    return assign(command, QKeySequence(QKeyCombination(held, static_cast<Qt::Key>(key))));
}

bool Commands::assign(int command, const QKeySequence &keys)
{
    const QString shown = keys.toString(QKeySequence::NativeText);
    if (!keys.isEmpty() && isForWriting(keys)) {
        setFault(tr("%1 is needed for writing.").arg(shown));
        return false;
    }
    const auto other = keys.isEmpty() ? m_keys.end() : std::ranges::find(m_keys, keys);
    if (other != m_keys.end() && other - m_keys.begin() != command) {
        setFault(tr("%1 is taken by “%2”.").arg(shown, translated(kEntries[other - m_keys.begin()].title)));
        return false;
    }
    if (m_keys[static_cast<std::size_t>(command)] == keys)
        return true;
    m_keys[static_cast<std::size_t>(command)] = keys;
    emit shortcutsChanged();
    return true;
}

void Commands::reset(int command)
{
    setFault({});
    if (isCommand(command))
        (void)assign(command, portable(kEntries[command].keys));
}

void Commands::resetAll()
{
    setFault({});
    for (int command = 0; command < kCount; ++command)
        m_keys[static_cast<std::size_t>(command)] = portable(kEntries[command].keys);
    emit shortcutsChanged();
}

void Commands::setFault(const QString &fault)
{
    if (m_fault == fault)
        return;
    m_fault = fault;
    emit faultChanged();
}

} // namespace perilune::ui
