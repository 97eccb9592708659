// How long a chat takes to be exported in each form, and how large it becomes: a table on standard output.
//
//   build/release/tests/export_bench [MESSAGES]     10,000 by itself
#include "app/publish/publish.h"
#include "app/typeset/formula_drawer.h"
#include "tests/support/mixed_chat.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace perilune;

int main(int argc, char **argv)
{
    using Clock = std::chrono::steady_clock;
    const int messages = argc > 1 ? std::atoi(argv[1]) : 10'000;
    ChatToPublish chat;
    chat.conversation =
        test::mixedConversation(messages * 5 / 12); // two messages a turn, four in every fifth
    chat.tree = chat.conversation.path;
    std::printf("%zu messages\n", chat.tree.size());
    const std::filesystem::path place = std::filesystem::temp_directory_path() / "perilune_export_bench";
    for (const ExportFormat format :
         {ExportFormat::Markdown, ExportFormat::Html, ExportFormat::Pdf, ExportFormat::Json}) {
        PublishOptions options;
        options.format = format;
        options.formula = formulaDrawer();
        const Clock::time_point start = Clock::now();
        const Result<Published> published = publishChat(chat, options, place);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (!published) {
            std::printf("%s: %s\n", formatName(format), published.error().message.c_str());
            return 1;
        }
        std::printf("%-9s %6.2f s  %7.2f MB\n", formatName(format), seconds,
                    static_cast<double>(std::filesystem::file_size(place)) / 1e6);
        std::filesystem::remove(place);
    }
    return 0;
}
