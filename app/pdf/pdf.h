#pragma once

#include "app/export/document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune {

struct PdfReport {
    std::uint32_t pages = 0;
    /// Scripts ("Tibetan") of letters that no font on this computer has: boxes stand for them.
    std::vector<std::string> scriptsWithoutFont;
};

/// The chat as a PDF on A4: text that can be searched and copied in any script, fonts inside, links,
/// an outline of the questions, page numbers. What people and tools wrote is drawn as plain text, answers by
/// their Markdown. Any thread; one call is on one thread. Pages go to `target` as they are full.
/// Formulas of `drawings` are drawn, and have their LaTeX as text behind them.
Result<PdfReport> writePdf(const ExportedChat &chat, const Drawings &drawings, const ExportTarget &target);

} // namespace perilune
