#pragma once

#include "app/turn/store_thread.h"

#include <QAbstractListModel>
#include <QPointer>
#include <QQmlEngine>
#include <QTimer>

#include <vector>

namespace perilune::ui {

/// The conversations at the left, newest first; or, while something is searched for, those that contain it.
/// GUI thread; the store answers from its own.
class ConversationListModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.conversations")
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool loaded READ loaded NOTIFY loadedChanged)

public:
    enum ItemRole { IdRole = Qt::UserRole, TitleRole, SectionRole, ExcerptRole };

    struct Row {
        ConversationId id = 0;
        QString title, section, excerpt;
        bool operator==(const Row &) const = default;
    };

    explicit ConversationListModel(StoreThread &store, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(m_rows.size()); }
    QString filter() const { return m_filter; }
    void setFilter(const QString &filter);
    /// The first answer of the store is here: an empty list is empty.
    bool loaded() const { return m_loaded; }

    /// Asks the store anew; updated() follows.
    void refresh();
    /// Empty for what is not in the list.
    QString titleOf(qint64 id) const;

    /// An empty title is left as it was.
    Q_INVOKABLE void rename(qint64 id, const QString &title);
    /// Into the bin; removed() follows.
    Q_INVOKABLE void remove(qint64 id);
    /// Brings back what remove() took last.
    Q_INVOKABLE void undoRemove();

    /// "Today", "Yesterday", "Previous 7 days", or the month, for a time in Unix milliseconds.
    static QString sectionOf(qint64 updatedMs, const QDateTime &now);

signals:
    void updated();
    void filterChanged();
    void countChanged();
    void loadedChanged();
    void removed(qint64 id, const QString &title);
    void failed(const QString &sentence);

private:
    void show(std::vector<Row> rows);
    void report(const Status &status);

    StoreThread &m_store;
    QTimer m_searchTimer;
    std::vector<Row> m_rows;
    QString m_filter;
    quint64 m_question = 0; ///< counts the questions asked; only the last answer counts
    ConversationId m_lastRemoved = 0;
    bool m_loaded = false;
};

} // namespace perilune::ui
