#include "ui/viewmodel/seen_model.h"

#include "engine/base/shown_name.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::uint32_t kPatch = 14; // pixels

QImage imageOf(const Picture &picture)
{
    if (picture.empty())
        return {};
    const auto width = static_cast<int>(picture.width);
    const QImage view(picture.rgb.data(), width, static_cast<int>(picture.height), qsizetype{3} * width,
                      QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32); // a copy: the picture's bytes go
}

QString number(std::uint64_t value)
{
    return QLocale().toString(static_cast<qulonglong>(value));
}

QString tokensText(std::uint64_t tokens)
{
    return tokens == 1 ? SeenModel::tr("1 token") : SeenModel::tr("%1 tokens").arg(number(tokens));
}

QString secondsText(double seconds)
{
    return SeenModel::tr("%1 s").arg(QLocale().toString(seconds, 'f', 2));
}

QString choiceText(const QString &what, const ClipCost &cost)
{
    return SeenModel::tr("%1: %2 frames from %3 to %4, %5")
        .arg(what, number(cost.frames), secondsText(cost.fromSeconds), secondsText(cost.toSeconds),
             tokensText(cost.tokens));
}

QStringList notesOf(const Attachment &attachment)
{
    QStringList notes;
    for (const std::string &note : attachment.notes)
        notes += QString::fromStdString(note);
    if (const auto &choices = attachment.choices; choices && choices->thinned && choices->trimmed)
        notes += choiceText(SeenModel::tr("All of it"), choices->whole); // the rest are choices
    return notes;
}

} // namespace

QImage underGrid(const Picture &preview, const PatchGrid &grid, std::uint32_t resizedWidth,
                 std::uint32_t resizedHeight)
{
    if (preview.empty() || resizedWidth == 0 || resizedHeight == 0)
        return {};
    const double scale = double(preview.width) / resizedWidth;
    const double cell = 2 * kPatch * scale;
    const std::uint32_t columns = grid.columns / 2, rows = grid.rows / 2;
    QImage image(static_cast<int>(columns * cell + 1), static_cast<int>(rows * cell + 1),
                 QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.drawImage(0, 0, imageOf(preview));
    painter.setPen(QPen(QColor(255, 255, 255, 110), 1));
    for (std::uint32_t x = 0; x <= columns; ++x)
        painter.drawLine(QPointF(x * cell, 0), QPointF(x * cell, image.height()));
    for (std::uint32_t y = 0; y <= rows; ++y)
        painter.drawLine(QPointF(0, y * cell), QPointF(image.width(), y * cell));
    return image;
}

int SeenModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant SeenModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case ImageRole: return row.image;
    case CaptionRole: return row.caption;
    case ChunkRole: return row.chunk;
    default: return {};
    }
}

QHash<int, QByteArray> SeenModel::roleNames() const
{
    return {
        {ImageRole,   "image"  },
        {CaptionRole, "caption"},
        {ChunkRole,   "chunk"  }
    };
}

void SeenModel::show(const Attachment &attachment)
{
    beginResetModel();
    m_rows.clear();
    m_title = QString::fromStdString(shownName(attachment.part.name));
    m_notes = notesOf(attachment);
    m_video = attachment.part.kind == MediaPart::Kind::Video;
    m_facts.clear();
    if (m_video)
        showClip(attachment);
    else if (attachment.part.patches && !attachment.part.patches->grids.empty())
        showPicture(attachment, attachment.part.patches->grids.front());
    if (!m_rows.empty() && !m_rows.front().image.isNull())
        m_aspect = double(m_rows.front().image.width()) / m_rows.front().image.height();
    endResetModel();
    m_choices.show(attachment);
    m_busy = false;
    emit changed();
    if (!std::exchange(m_shown, true))
        emit shownChanged();
}

void SeenModel::wait()
{
    m_busy = true;
    emit changed();
}

void SeenModel::fail(const QString &why)
{
    m_busy = false;
    m_facts = why;
    emit changed();
}

void SeenModel::hide()
{
    if (!std::exchange(m_shown, false))
        return;
    emit shownChanged();
    beginResetModel();
    m_rows.clear(); // the images
    endResetModel();
    m_choices.show({});
}

void SeenModel::showPicture(const Attachment &attachment, const PatchGrid &grid)
{
    m_facts = tr("%1 × %2 pixels, seen as %3 × %4 pixels in %5 × %6 patches, %7")
                  .arg(number(attachment.width), number(attachment.height), number(attachment.resizedWidth),
                       number(attachment.resizedHeight), number(grid.columns), number(grid.rows),
                       tokensText(attachment.tokens));
    if (attachment.previews.empty())
        return;
    m_rows.push_back({.image = underGrid(attachment.previews.front(), grid, attachment.resizedWidth,
                                         attachment.resizedHeight),
                      .caption = {},
                      .chunk = {}});
}

void SeenModel::showClip(const Attachment &attachment)
{
    const auto &patches = attachment.part.patches;
    const std::size_t chunks = patches ? patches->grids.size() : 0;
    m_facts = tr("%1, %2 frames of %3 × %4 pixels in %5, %6")
                  .arg(secondsText(attachment.durationSeconds), number(attachment.frameSeconds.size()),
                       number(attachment.resizedWidth), number(attachment.resizedHeight),
                       chunks == 1 ? tr("1 chunk") : tr("%1 chunks").arg(number(chunks)),
                       tokensText(attachment.tokens));
    const std::size_t frames = std::min(attachment.previews.size(), attachment.frameSeconds.size());
    for (std::size_t i = 0; i < frames; ++i)
        m_rows.push_back({.image = imageOf(attachment.previews[i]),
                          .caption = secondsText(attachment.frameSeconds[i]),
                          .chunk = {}});
    std::size_t first = 0;
    for (std::size_t chunk = 0; patches && chunk < patches->grids.size() && first < m_rows.size(); ++chunk) {
        if (chunk < patches->timestamps.size())
            m_rows[first].chunk = tr("%1, %2").arg(QString::fromStdString(patches->timestamps[chunk]),
                                                   tokensText(patches->grids[chunk].tokens()));
        first += patches->grids[chunk].frames;
    }
}

} // namespace perilune::ui
