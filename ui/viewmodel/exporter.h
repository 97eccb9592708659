#pragma once

#include "app/concurrency/worker.h"
#include "app/publish/publish.h"
#include "app/turn/store_thread.h"

#include <QObject>
#include <QQmlEngine>
#include <QUrl>
#include <QVariantMap>

#include <memory>

namespace perilune::ui {

/// Writes chats into files while the window goes on: the store gives one chat after another, a thread of its
/// own writes it. One export at a time.
class Exporter : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.exporter")
    Q_PROPERTY(bool running READ running NOTIFY changed)
    Q_PROPERTY(QString status READ status NOTIFY changed)
    Q_PROPERTY(double progress READ progress NOTIFY changed)

public:
    explicit Exporter(StoreThread &store, QObject *parent = nullptr);
    /// Stops what is running, and waits for the message in hand.
    ~Exporter() override;

    bool running() const { return m_run != nullptr; }
    /// "Chat 2 of 7, message 120 of 4,000"; empty while nothing runs.
    QString status() const { return m_status; }
    /// From 0 to 1.
    double progress() const { return m_progress; }

    /// A file in the person's documents, under a name from the title.
    Q_INVOKABLE QUrl suggestedFile(const QString &title, const QString &format) const;
    Q_INVOKABLE QString endingOf(const QString &format) const;

    /// One chat into a file, which is replaced. `choices` has `format` (as formatName()) and, each true or
    /// false, `allBranches`, `thinking`, `toolCalls`, `statistics`.
    Q_INVOKABLE void exportChat(qint64 conversation, const QUrl &file, const QVariantMap &choices);
    /// The chats of a folder (empty: all that aren't in the bin), a file each, into a folder of the disk.
    Q_INVOKABLE void exportFolder(const QString &folder, const QUrl &place, const QVariantMap &choices);
    Q_INVOKABLE void stop();

signals:
    void changed();
    /// It is over; `sentence` says what is where, or that it was stopped.
    void finished(const QString &sentence);
    /// What the person should know besides: a chat that failed, a picture that is missing.
    void noted(const QString &sentence);

private:
    struct Run;

    void begin(std::shared_ptr<Run> run);
    void next(const std::shared_ptr<Run> &run);
    void write(const std::shared_ptr<Run> &run, ChatToPublish chat);
    void written(const std::shared_ptr<Run> &run, const Result<Published> &published);
    void end(const QString &sentence);
    void show(const std::shared_ptr<Run> &run, std::size_t done, std::size_t all);

    StoreThread &m_store;
    std::shared_ptr<Run> m_run; ///< null while nothing runs
    QString m_status;
    double m_progress = 0;
    std::unique_ptr<Worker> m_worker; // last: its jobs use the members above
};

} // namespace perilune::ui
