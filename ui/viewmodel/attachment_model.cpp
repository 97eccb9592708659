#include "ui/viewmodel/attachment_model.h"

#include "engine/base/shown_name.h"
#include "ui/viewmodel/choice_text.h"

#include <QFileInfo>
#include <QLocale>
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

QString shown(const std::string &name)
{
    return QString::fromStdString(shownName(name));
}

/// What an error says of a file, without the file's path, which stands beside it.
QString reasonOf(const Error &error, const MediaPart &part)
{
    const QString message = QString::fromStdString(error.message);
    const QString path = shown(part.path) + ' ';
    return message.startsWith(path) ? message.mid(path.size()) : message;
}

} // namespace

QString attachmentDetail(const Attachment &attachment)
{
    const QLocale locale;
    const MediaChoice &choice = attachment.part.choice;
    const bool clip = attachment.part.kind == MediaPart::Kind::Video;
    QStringList facts;
    if (attachment.animation)
        facts += clip ? AttachmentModel::tr("Animation") : AttachmentModel::tr("First frame");
    if (choice.detail != MediaChoice::Detail::Full)
        facts += detailText(choice.detail);
    if (clip) {
        const auto seconds = [&locale](double value) { return locale.toString(value, 'f', 1); };
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
    case NameRole: return shown(item.part.name);
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
    append({.part = part, .stop = {}, .detail = tr("Reading…"), .thumbnail = {}, .attachment = {}});
}

void AttachmentModel::tryFile(const QString &path)
{
    const QFileInfo file(path);
    append({
        .part = {.path = file.absoluteFilePath().toStdString(),
                 .name = shownName(file.fileName().toStdString()),
                 .patches = nullptr},
        .stop = {},
        .unknown = true,
        .detail = tr("Reading…"),
        .thumbnail = {},
        .attachment = {}
    });
}

void AttachmentModel::append(Item item)
{
    beginInsertRows({}, count(), count());
    m_items.push_back(std::move(item));
    endInsertRows();
    emit changed();
    read(m_items.back());
}

void AttachmentModel::read(Item &item)
{
    item.key = m_nextKey++;
    const auto progress = [self = QPointer(this), key = item.key](double fraction) {
        if (self)
            self->show(key, fraction);
    };
    m_attach(item.part, item.stop.get_token(), progress,
             [self = QPointer(this), key = item.key](Result<Attachment> result) {
                 if (self)
                     self->take(key, std::move(result));
             });
}

void AttachmentModel::show(quint64 key, double progress)
{
    const auto item = std::ranges::find(m_items, key, &Item::key);
    if (item == m_items.end() || !item->reading)
        return;
    item->detail = tr("Reading… %1 %").arg(QLocale().toString(static_cast<int>(progress * 100)));
    const QModelIndex row = index(static_cast<int>(item - m_items.begin()));
    emit dataChanged(row, row, {DetailRole});
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
    if (!result && std::exchange(item->unknown, false) && result.error().code == ErrorCode::InvalidInput) {
        refuse(item, result.error());
        return;
    }
    if (result) {
        item->part = result->part;
        item->detail = attachmentDetail(*result);
        item->thumbnail = imageOf(*result);
        item->attachment = std::make_shared<const Attachment>(*std::move(result));
    } else {
        item->failed = true;
        item->detail = reasonOf(result.error(), item->part);
        if (!item->detail.isEmpty())
            item->detail[0] = item->detail[0].toUpper();
    }
    if (key == m_seenKey && m_seen.shown())
        item->failed ? m_seen.fail(item->detail) : m_seen.show(*item->attachment);
    const QModelIndex row = index(static_cast<int>(item - m_items.begin()));
    emit dataChanged(row, row);
    emit changed();
}

void AttachmentModel::refuse(std::deque<Item>::iterator item, const Error &why)
{
    const QString name = shown(item->part.name);
    const QString sentence = isNoMedia(why) ? tr("%1 is neither a picture nor a clip.").arg(name)
                                            : name + ' ' + reasonOf(why, item->part) + '.';
    const auto row = static_cast<int>(item - m_items.begin());
    beginRemoveRows({}, row, row);
    m_items.erase(item);
    endRemoveRows();
    emit changed();
    emit refused(sentence);
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

} // namespace perilune::ui
