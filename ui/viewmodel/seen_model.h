#pragma once

#include "app/turn/attachment.h"
#include "ui/viewmodel/seen_choices.h"

#include <QAbstractListModel>
#include <QImage>
#include <QQmlEngine>

#include <memory>
#include <vector>

namespace perilune::ui {

/// What the model sees of one attachment: a picture under its grid of tokens, or the frames of a clip with
/// their times, chunk by chunk. A row for each.
class SeenModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from AttachmentModel.seen")
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString facts READ facts NOTIFY changed)
    Q_PROPERTY(QStringList notes READ notes NOTIFY changed)
    Q_PROPERTY(bool video READ video NOTIFY changed)
    Q_PROPERTY(double aspect READ aspect NOTIFY changed)
    Q_PROPERTY(bool busy READ busy NOTIFY changed)
    Q_PROPERTY(perilune::ui::SeenChoices *choices READ choices CONSTANT)
    Q_PROPERTY(bool shown READ shown NOTIFY shownChanged)

public:
    enum ItemRole { ImageRole = Qt::UserRole, CaptionRole, ChunkRole };

    explicit SeenModel(QObject *parent = nullptr) : QAbstractListModel(parent) {}

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// "cat.mp4".
    QString title() const { return m_title; }
    /// "320 × 240 pixels, seen as 24 × 18 patches, 108 tokens"; of a clip its chunks and frames.
    QString facts() const { return m_facts; }
    /// What there is to choose from, and what else a person should know.
    QStringList notes() const { return m_notes; }
    bool video() const { return m_video; }
    /// Width by height of what a row shows.
    double aspect() const { return m_aspect; }

    /// Another choice is being read; what is in view is the one before it.
    bool busy() const { return m_busy; }
    /// What else the model could see of it.
    SeenChoices *choices() { return &m_choices; }

    /// Whether it is in view.
    bool shown() const { return m_shown; }

    /// Brings an attachment into view.
    void show(const Attachment &attachment);
    /// Another choice is being read.
    void wait();
    /// It could not be read: `why` stands in place of the facts.
    void fail(const QString &why);
    /// Nothing is in view any more.
    Q_INVOKABLE void hide();

signals:
    void changed();
    void shownChanged();

private:
    struct Row {
        QImage image;
        QString caption; ///< when the frame is shown
        QString chunk;   ///< at the first frame of a chunk: its time as the model reads it, and its tokens
    };

    void showPicture(const Attachment &attachment, const PatchGrid &grid);
    void showClip(const Attachment &attachment);

    std::vector<Row> m_rows;
    QString m_title, m_facts;
    QStringList m_notes;
    SeenChoices m_choices;
    double m_aspect = 1;
    bool m_video = false, m_shown = false, m_busy = false;
};

/// The picture with a line between the cells that become tokens. It is as large as the padded picture, which
/// is dark where there is padding.
QImage underGrid(const Picture &preview, const PatchGrid &grid, std::uint32_t resizedWidth,
                 std::uint32_t resizedHeight);

} // namespace perilune::ui
