#pragma once

#include "app/turn/store_thread.h"

#include <QAbstractListModel>
#include <QPointer>
#include <QQmlEngine>
#include <QTimer>
#include <QVariantList>

#include <functional>
#include <vector>

namespace perilune::ui {

/// The conversations at the left: those of a place (all, a folder, the archive, the bin), the pinned ones and
/// then the newest first; or, while something is searched for, the messages that contain it. GUI thread; the
/// store answers from its own.
class ConversationListModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.conversations")
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString place READ place WRITE setPlace NOTIFY placeChanged)
    Q_PROPERTY(QString placeName READ placeName NOTIFY placeChanged)
    Q_PROPERTY(QVariantList places READ places NOTIFY placesChanged)
    Q_PROPERTY(QStringList folders READ folders NOTIFY placesChanged)
    Q_PROPERTY(QStringList tags READ tags NOTIFY placesChanged)
    Q_PROPERTY(QString tagFilter READ tagFilter WRITE setTagFilter NOTIFY filterChanged)
    Q_PROPERTY(QString roleFilter READ roleFilter WRITE setRoleFilter NOTIFY filterChanged)
    Q_PROPERTY(int daysFilter READ daysFilter WRITE setDaysFilter NOTIFY filterChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool loaded READ loaded NOTIFY loadedChanged)

public:
    enum ItemRole {
        IdRole = Qt::UserRole,
        TitleRole,
        SectionRole,
        ExcerptRole,
        MessageRole,
        PinnedRole,
        ArchivedRole,
        DeletedRole,
        FolderRole,
        TagsRole,
        SortedByRole, ///< folder and tags, for showing
    };

    struct Row {
        ConversationId id = 0;
        QString title{}, section{};
        QString excerpt{};     ///< of a hit; rich text of ours, what was found in bold
        MessageId message = 0; ///< of a hit; 0: the title
        bool pinned = false, archived = false, deleted = false;
        QString folder{}, tags{};
        qint64 pinOrder = 0; ///< as in ConversationRow
        bool operator==(const Row &) const = default;
    };

    explicit ConversationListModel(StoreThread &store, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(m_rows.size()); }
    QString filter() const { return m_filter; }
    void setFilter(const QString &filter);
    /// What a search is narrowed to: a tag (empty: any) …
    QString tagFilter() const { return m_tagFilter; }
    void setTagFilter(const QString &tag);
    /// … who wrote it ("user", "assistant"; empty: anybody) …
    QString roleFilter() const { return m_roleFilter; }
    void setRoleFilter(const QString &role);
    /// … and how many days ago at most, today being one (0: at any time).
    int daysFilter() const { return m_daysFilter; }
    void setDaysFilter(int days);
    /// "" for all chats, "archive", "bin", or a folder's number.
    QString place() const { return m_place; }
    void setPlace(const QString &place);
    QString placeName() const;
    /// Where one can look: maps of key and name.
    QVariantList places() const;
    /// The names of the folders.
    QStringList folders() const;
    /// Tags in use.
    QStringList tags() const { return m_tags; }

    /// The first answer of the store is here: an empty list is empty.
    bool loaded() const { return m_loaded; }

    /// Asks the store anew; updated() follows.
    void refresh();
    /// Empty for what is not in the list.
    QString titleOf(qint64 id) const;

    /// The conversation `step` rows after the given one in the list, or the first where that isn't in it; 0
    /// where there is none.
    qint64 neighbour(qint64 id, int step) const;

    /// An empty title is left as it was.
    Q_INVOKABLE void rename(qint64 id, const QString &title);
    Q_INVOKABLE void setPinned(qint64 id, bool pinned);
    /// Puts the chat of row `from` where row `onto` is (-1: below all). Among those that are pinned it is
    /// pinned there; below them it is pinned no more.
    Q_INVOKABLE void dropOn(int from, int onto);
    Q_INVOKABLE void setArchived(qint64 id, bool archived);
    /// Into the folder of that name, which is made if need be; an empty one takes it out.
    Q_INVOKABLE void moveTo(qint64 id, const QString &folder);
    /// Tags with commas between.
    Q_INVOKABLE void setTags(qint64 id, const QString &tags);
    /// Out of the bin.
    Q_INVOKABLE void restore(qint64 id);
    /// Into the bin; removed() follows.
    Q_INVOKABLE void remove(qint64 id);
    /// Brings back what remove() took last.
    Q_INVOKABLE void undoRemove();

    /// "Today", "Yesterday", "Previous 7 days", or the month, for a time in Unix milliseconds.
    static QString sectionOf(qint64 updatedMs, const QDateTime &now);

signals:
    void updated();
    void filterChanged();
    void placeChanged();
    void placesChanged();
    void countChanged();
    void loadedChanged();
    void removed(qint64 id, const QString &title);
    void failed(const QString &sentence);
    void diskFull();

private:
    /// What the store is asked for.
    struct Found {
        std::vector<Row> rows;
        std::vector<FolderRow> folders;
        std::vector<std::string> tags;
    };
    struct Wanted {
        QString filter, place, tag, role;
        int days = 0;
    };
    static Result<Found> look(ConversationStore &store, const Wanted &wanted);
    void searchSoon();
    void take(Found found);
    /// Runs `change` on the store, tells what went wrong, and looks anew.
    void ask(std::function<Status(ConversationStore &)> change);
    void show(std::vector<Row> rows);
    void report(const Status &status);
    void tell(const Error &error);

    StoreThread &m_store;
    QTimer m_searchTimer;
    std::vector<Row> m_rows;
    QString m_filter, m_place, m_tagFilter, m_roleFilter;
    int m_daysFilter = 0;
    std::vector<FolderRow> m_folders;
    QStringList m_tags;
    quint64 m_question = 0; ///< counts the questions asked; only the last answer counts
    ConversationId m_lastRemoved = 0;
    bool m_loaded = false;
};

} // namespace perilune::ui
