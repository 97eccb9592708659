#pragma once

#include "app/concurrency/worker.h"
#include "app/store/backup.h"
#include "app/turn/store_thread.h"

#include <QList>
#include <QObject>
#include <QQmlEngine>
#include <QUrl>
#include <QVariantList>

#include <filesystem>
#include <memory>

namespace perilune::ui {

/// Imports chats, backs all of them up, and brings them back from a backup, while the window goes on: on a
/// thread of its own with a connection of its own. One thing at a time.
class Transfer : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.transfer")
    Q_PROPERTY(bool running READ running NOTIFY changed)
    Q_PROPERTY(QString status READ status NOTIFY changed)
    Q_PROPERTY(double progress READ progress NOTIFY changed)
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    Q_PROPERTY(QVariantList results READ results NOTIFY changed)

public:
    Transfer(std::filesystem::path dataFolder, Post post, QObject *parent = nullptr);
    /// Stops what is running, and waits for the chat or file in hand.
    ~Transfer() override;

    bool running() const { return m_run != nullptr; }
    /// "Chat 2 of 7"; empty while nothing runs.
    QString status() const { return m_status; }
    /// From 0 to 1; below 0 where it isn't known.
    double progress() const { return m_progress; }
    /// A sentence on the last one; empty before it is over.
    QString summary() const { return m_summary; }
    /// What became of each chat or file: maps of `name`, `outcome` ("done", "same", "failed") and `sentence`.
    QVariantList results() const { return m_results; }

    /// Adds chats that were exported as JSON: files, or folders of them.
    Q_INVOKABLE void importFiles(const QList<QUrl> &files);
    /// Copies all chats into a new folder in `place`.
    Q_INVOKABLE void backUp(const QUrl &place);
    /// Adds the chats of a backup that aren't here.
    Q_INVOKABLE void restore(const QUrl &backup);
    Q_INVOKABLE void stop();

signals:
    void changed();
    /// It is over; summary() and results() say how it went.
    void finished();
    /// There are other chats than before.
    void chatsCame();
    void diskFull();

private:
    struct Run;
    using Work = std::function<void(Run &)>;

    void begin(Work work, const QString &status);
    void show(const std::shared_ptr<Run> &run, const QString &status, double progress);
    void end(const std::shared_ptr<Run> &run);

    std::filesystem::path m_dataFolder;
    Post m_post;
    std::shared_ptr<Run> m_run; ///< null while nothing runs
    QString m_status, m_summary;
    QVariantList m_results;
    double m_progress = -1;
    std::unique_ptr<Worker> m_worker; // last: its jobs use the members above
};

} // namespace perilune::ui
