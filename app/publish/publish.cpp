#include "app/publish/publish.h"

#include "app/export/html.h"
#include "app/export/json.h"
#include "app/export/markdown.h"
#include "app/pdf/pdf.h"
#include "app/publish/embedded_picture.h"
#include "app/publish/file_name.h"
#include "app/publish/media_folder.h"
#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <system_error>

namespace perilune {

namespace fs = std::filesystem;

namespace {

constexpr std::array kNames = {"markdown", "html", "pdf", "json"};
constexpr std::array kEndings = {".md", ".html", ".pdf", ".json"};

Result<std::string> readMedia(const MediaPart &part)
{
    Result<std::string> bytes = readFile(part.path, std::numeric_limits<std::uint64_t>::max());
    if (!bytes && bytes.error().code == ErrorCode::NotFound)
        return Error{ErrorCode::NotFound, "the file of " + nameOf(part) + " is missing"};
    return bytes;
}

ExportTarget targetOf(const std::function<Status(std::string_view)> &write, const PublishOptions &options)
{
    return {write, [&options](std::size_t done, std::size_t all) -> Status {
                if (options.progress)
                    options.progress(done, all);
                if (options.stop.stop_requested())
                    return Error{ErrorCode::Cancelled, "the export was stopped"};
                return Done{};
            }};
}

/// Pictures for a document, and what to say about those that can't be had.
PictureOf picturesFor(const PublishOptions &options, std::vector<std::string> &notes)
{
    return [&options, &notes](const MediaPart &media) {
        Result<EmbeddedPicture> picture = embeddedPicture(media, options.stop);
        if (!picture && picture.error().code != ErrorCode::Cancelled)
            notes.push_back(nameOf(media) + " is not in the document: " + picture.error().message);
        return picture;
    };
}

void noteMissingFonts(const PdfReport &report, std::vector<std::string> &notes)
{
    std::string scripts;
    for (const std::string &script : report.scriptsWithoutFont)
        scripts += (scripts.empty() ? "" : ", ") + script;
    if (!scripts.empty())
        notes.push_back("no font on this computer has these letters, for which boxes stand: " + scripts);
}

/// The document in its form; `linkTo` is for Markdown.
Result<Published> writeDocument(const std::function<Status(std::string_view)> &write,
                                const ExportedChat &chat, const PublishOptions &options, const LinkTo &linkTo)
{
    Published published;
    const ExportTarget target = targetOf(write, options);
    const Drawings drawings{picturesFor(options, published.notes), options.formula};
    Status written = Done{};
    switch (options.format) {
    case ExportFormat::Markdown: written = writeMarkdown(chat, linkTo, target); break;
    case ExportFormat::Html: written = writeHtml(chat, drawings, target); break;
    case ExportFormat::Json: written = writeJson(chat, readMedia, target); break;
    case ExportFormat::Pdf: {
        const Result<PdfReport> report = writePdf(chat, drawings, target);
        if (!report)
            return report.error();
        noteMissingFonts(*report, published.notes);
        break;
    }
    }
    if (!written)
        return std::move(written).error();
    return published;
}

ExportedChat exportedOf(const ChatToPublish &chat, const ExportChoices &choices)
{
    ExportedChat exported = chosen(chat.conversation, chat.tree, choices);
    exported.folder = chat.folder;
    return exported;
}

} // namespace

const char *formatName(ExportFormat format)
{
    return kNames[static_cast<std::size_t>(format)];
}

std::optional<ExportFormat> formatFromName(std::string_view name)
{
    const auto *const found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<ExportFormat>(found - kNames.begin());
}

const char *fileEnding(ExportFormat format)
{
    return kEndings[static_cast<std::size_t>(format)];
}

Result<ChatToPublish> loadChat(ConversationStore &store, ConversationId id)
{
    Result<StoredConversation> conversation = store.load(id);
    if (!conversation)
        return std::move(conversation).error();
    Result<std::vector<StoredMessage>> tree = store.loadTree(id);
    if (!tree)
        return std::move(tree).error();
    ChatToPublish chat{std::move(*conversation), std::move(*tree), {}};
    const Result<std::vector<FolderRow>> folders = store.folders();
    if (!folders)
        return folders.error();
    const auto found = std::ranges::find(*folders, chat.conversation.row.folder, &FolderRow::id);
    if (found != folders->end())
        chat.folder = found->name;
    return chat;
}

Result<Published> publishTo(const std::function<Status(std::string_view)> &write, const ChatToPublish &chat,
                            const PublishOptions &options)
{
    return writeDocument(write, exportedOf(chat, options.choices), options,
                         [](const MediaPart &part) { return part.path; });
}

Result<Published> publishChat(const ChatToPublish &chat, const PublishOptions &options, const fs::path &place)
{
    Result<OutputFile> file = OutputFile::create(place);
    if (!file)
        return std::move(file).error();
    const ExportedChat exported = exportedOf(chat, options.choices);
    MediaFolder media(place);
    std::vector<std::string> notes;
    if (options.format == ExportFormat::Markdown) {
        Result<std::vector<std::string>> copied = media.copy(exported, options.stop);
        if (!copied)
            return std::move(copied).error();
        notes = std::move(*copied);
    }
    Result<Published> published =
        writeDocument([&file](std::string_view bytes) { return file->write(bytes); }, exported, options,
                      [&media](const MediaPart &part) { return media.linkTo(part); });
    if (!published)
        return published;
    if (options.stop.stop_requested())
        return Error{ErrorCode::Cancelled, "the export was stopped"};
    if (Status done = file->commit(); !done)
        return std::move(done).error();
    media.keep();
    published->file = place;
    published->notes.insert(published->notes.end(), notes.begin(), notes.end());
    return published;
}

std::string fileNameFor(const ConversationRow &row, const std::string &ending)
{
    return safeFileName(row.title.empty() ? "Chat " + std::to_string(row.id) : row.title) + ending;
}

fs::path freePlace(const fs::path &folder, const ConversationRow &row, ExportFormat format)
{
    std::error_code failed;
    fs::path place = folder / fileNameFor(row, fileEnding(format));
    for (int number = 2; fs::exists(place, failed); ++number)
        place = folder / fileNameFor(row, " (" + std::to_string(number) + ")" + fileEnding(format));
    return place;
}

} // namespace perilune
