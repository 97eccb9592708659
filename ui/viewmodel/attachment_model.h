#pragma once

#include "app/turn/attachment.h"
#include "ui/viewmodel/seen_model.h"

#include <QAbstractListModel>
#include <QImage>
#include <QQmlEngine>

#include <deque>
#include <functional>
#include <memory>

namespace perilune::ui {

/// Prepares a file away from the GUI thread and calls back on it; Application::attach.
using Attach = std::function<void(const MediaPart &part, std::stop_token stop, MediaProgress progress,
                                  std::function<void(Result<Attachment>)> then)>;

/// The pictures and clips beside what is being typed: chips with a thumbnail and what each costs.
class AttachmentModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from Composer.attachments")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(perilune::ui::SeenModel *seen READ seen CONSTANT)

public:
    enum ItemRole { NameRole = Qt::UserRole, DetailRole, ThumbnailRole, ReadingRole, FailedRole, VideoRole };

    explicit AttachmentModel(Attach attach, QObject *parent = nullptr);
    ~AttachmentModel() override;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(m_items.size()); }
    /// Something is still being read.
    bool reading() const;
    /// Something could not be read; its chip says why.
    bool anyFailed() const;

    /// What look() chose.
    SeenModel *seen() { return &m_seen; }
    /// Shows in `seen` what the model sees of an attachment that is ready.
    Q_INVOKABLE void look(int row);

    /// Has the model see as much as `choice` says of what look() chose: it is read again.
    void choose(const MediaChoice &choice);

    /// Begins to read the file.
    void add(const MediaPart &part);
    /// As add(), for a file of which nothing is known yet: its bytes say what it is, not its name. One that
    /// can't be attached at all (a document, a folder, a pipe) goes again, with refused().
    void tryFile(const QString &path);
    Q_INVOKABLE void remove(int row);
    void clear();

    /// As they are to be sent, in order; with patches where the engine wants them.
    std::vector<MediaPart> parts() const;

signals:
    /// Rows came, went, or are ready.
    void changed();
    /// The person took it out.
    void removed(const perilune::MediaPart &part);
    /// What tryFile() was given can't be attached: a sentence.
    void refused(const QString &sentence);

private:
    struct Item {
        quint64 key = 0;
        MediaPart part;
        std::stop_source stop;
        bool reading = true;
        bool unknown = false; ///< whether it can be attached at all
        QString detail;       ///< what it costs, or why it failed
        bool failed = false;
        QImage thumbnail;
        std::shared_ptr<const Attachment> attachment; ///< once it is read
    };

    void append(Item item);
    void read(Item &item);
    void show(quint64 key, double progress);
    void refuse(std::deque<Item>::iterator item, const Error &why);
    void take(quint64 key, Result<Attachment> result);

    Attach m_attach;
    SeenModel m_seen;
    std::deque<Item> m_items;
    quint64 m_nextKey = 1;
    quint64 m_seenKey = 0; ///< of the item in view; 0: none
};

/// "320 × 240 · 25 tokens", "4.0 s · 8 frames · 36 tokens", "Low detail · 1.0–2.5 of 4.0 s · 3 frames · 9
/// tokens", "Animation · 0.8 s · 2 frames · 8 tokens".
QString attachmentDetail(const Attachment &attachment);

} // namespace perilune::ui
