#include "ui/viewmodel/attachment_model.h"

#include "engine/base/shown_name.h"

#include <QFileInfo>
#include <QLocale>
#include <QMimeDatabase>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace perilune::ui {
namespace {

QImage imageOf(const Attachment &attachment)
{
    if (attachment.thumbnail.empty())
        return {};
    const auto width = static_cast<int>(attachment.thumbnailWidth);
    const QImage view(attachment.thumbnail.data(), width, static_cast<int>(attachment.thumbnailHeight),
                      qsizetype{3} * width, QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32); // a copy: the attachment's bytes go
}

} // namespace

QString attachmentDetail(const Attachment &attachment)
{
    const QLocale locale;
    QStringList facts;
    if (attachment.part.kind == MediaPart::Kind::Video) {
        const auto seconds = [&locale](double value) { return locale.toString(value, 'f', 1); };
        const MediaChoice &choice = attachment.part.choice;
        const QString whole = seconds(attachment.durationSeconds);
        facts += choice.fromSeconds || choice.toSeconds
                     ? AttachmentModel::tr("%1–%2 of %3 s")
                           .arg(seconds(choice.fromSeconds.value_or(0)),
                                seconds(choice.toSeconds.value_or(attachment.durationSeconds)), whole)
                     : AttachmentModel::tr("%1 s").arg(whole);
        const auto frames = static_cast<qlonglong>(attachment.frameSeconds.size());
        facts += frames == 1 ? AttachmentModel::tr("1 frame")
                             : AttachmentModel::tr("%1 frames").arg(locale.toString(frames));
    } else {
        facts += QStringLiteral("%1 × %2").arg(locale.toString(attachment.width),
                                               locale.toString(attachment.height));
    }
    if (attachment.tokens > 0)
        facts += attachment.tokens == 1
                     ? AttachmentModel::tr("1 token")
                     : AttachmentModel::tr("%1 tokens")
                           .arg(locale.toString(static_cast<qulonglong>(attachment.tokens)));
    return facts.join(QStringLiteral(" · "));
}

AttachmentModel::AttachmentModel(Attach attach, QObject *parent)
    : QAbstractListModel(parent),
      m_attach(std::move(attach))
{
    connect(m_seen.choices(), &SeenChoices::chosen, this, &AttachmentModel::choose);
}

AttachmentModel::~AttachmentModel()
{
    for (Item &item : m_items)
        item.stop.request_stop();
}

int AttachmentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant AttachmentModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};

    const Item &item = m_items[static_cast<std::size_t>(index.row())];
    switch (role) {
    case NameRole: return QString::fromStdString(shownName(item.part.name));
    case DetailRole: return item.detail;
    case ThumbnailRole: return item.thumbnail;
    case ReadingRole: return item.reading;
    case FailedRole: return item.failed;
    case VideoRole: return item.part.kind == MediaPart::Kind::Video;
    default: return {};
    }
}

QHash<int, QByteArray> AttachmentModel::roleNames() const
{
    return {
        {NameRole,      "name"     },
        {DetailRole,    "detail"   },
        {ThumbnailRole, "thumbnail"},
        {ReadingRole,   "reading"  },
        {FailedRole,    "failed"   },
        {VideoRole,     "video"    }
    };
}

bool AttachmentModel::reading() const
{
    return std::ranges::any_of(m_items, &Item::reading);
}

bool AttachmentModel::anyFailed() const
{
    return std::ranges::any_of(m_items, &Item::failed);
}

void AttachmentModel::add(const MediaPart &part)
{
    beginInsertRows({}, count(), count());
    m_items.push_back(
        {.part = part, .stop = {}, .detail = tr("Reading…"), .thumbnail = {}, .attachment = {}});
    endInsertRows();
    emit changed();
    read(m_items.back());
}

void AttachmentModel::read(Item &item)
{
    item.key = m_nextKey++;
    m_attach(item.part, item.stop.get_token(),
             [self = QPointer(this), key = item.key](Result<Attachment> result) {
                 if (self)
                     self->take(key, std::move(result));
             });
}

void AttachmentModel::choose(const MediaChoice &choice)
{
    const auto item = std::ranges::find(m_items, m_seenKey, &Item::key);
    if (item == m_items.end() || item->part.choice == choice)
        return;
    item->stop.request_stop();
    item->stop = {};
    item->part.choice = choice;
    item->part.patches = nullptr; // of the choice before
    item->reading = true;
    item->failed = false;
    item->detail = tr("Reading…");
    m_seen.wait();
    read(*item);
    m_seenKey = item->key;
    const QModelIndex row = index(static_cast<int>(item - m_items.begin()));
    emit dataChanged(row, row);
    emit changed();
}

void AttachmentModel::take(quint64 key, Result<Attachment> result)
{
    const auto item = std::ranges::find(m_items, key, &Item::key);
    if (item == m_items.end())
        return; // removed in the meantime

    item->reading = false;
    if (result) {
        item->part = result->part;
        item->detail = attachmentDetail(*result);
        item->thumbnail = imageOf(*result);
        item->attachment = std::make_shared<const Attachment>(*std::move(result));
    } else {
        item->failed = true;
        item->detail = QString::fromStdString(result.error().message);
    }
    if (key == m_seenKey && m_seen.shown())
        item->failed ? m_seen.fail(item->detail) : m_seen.show(*item->attachment);
    const QModelIndex row = index(static_cast<int>(item - m_items.begin()));
    emit dataChanged(row, row);
    emit changed();
}

void AttachmentModel::look(int row)
{
    if (row < 0 || row >= count())
        return;
    const Item &item = m_items[static_cast<std::size_t>(row)];
    if (item.reading || !item.attachment)
        return;
    m_seenKey = item.key;
    m_seen.show(*item.attachment);
}

void AttachmentModel::remove(int row)
{
    if (row < 0 || row >= count())
        return;
    Item &item = m_items[static_cast<std::size_t>(row)];
    item.stop.request_stop();
    const MediaPart part = item.part;
    beginRemoveRows({}, row, row);
    m_items.erase(m_items.begin() + row);
    endRemoveRows();
    emit changed();
    emit removed(part);
}

void AttachmentModel::clear()
{
    if (m_items.empty())
        return;
    beginResetModel();
    for (Item &item : m_items)
        item.stop.request_stop();
    m_items.clear();
    endResetModel();
    emit changed();
}

std::vector<MediaPart> AttachmentModel::parts() const
{
    std::vector<MediaPart> parts;
    parts.reserve(m_items.size());
    for (const Item &item : m_items)
        parts.push_back(item.part);
    return parts;
}

std::optional<MediaPart::Kind> AttachmentModel::kindOf(const QString &path)
{
    static const QStringList clips = {"mp4", "m4v", "mov",  "mkv", "webm", "avi",
                                      "gif", "mpg", "mpeg", "ogv", "wmv"};
    static const QStringList pictures = {"png", "jpg",  "jpeg", "webp", "bmp",
                                         "tif", "tiff", "avif", "ppm",  "pgm"};
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (pictures.contains(suffix))
        return MediaPart::Kind::Image;
    if (clips.contains(suffix))
        return MediaPart::Kind::Video;
    const QString type = QMimeDatabase().mimeTypeForFile(path).name();
    if (type.startsWith(u"image/"))
        return MediaPart::Kind::Image;
    if (type.startsWith(u"video/"))
        return MediaPart::Kind::Video;
    return std::nullopt;
}

} // namespace perilune::ui
