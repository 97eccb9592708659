#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string_view>

namespace perilune {

/// A file that is written beside its place and put there whole: until commit() the place is as it was, and
/// without it nothing is left. A device or a pipe is written as it is, for a rename would replace it; a link
/// stays a link, and what it leads to is replaced. What a killed program left beside the place goes with the
/// next file that is written there.
class OutputFile {
public:
    /// NotFound where its folder isn't there, InvalidInput where there is no permission.
    static Result<OutputFile> create(const std::filesystem::path &place);
    ~OutputFile();
    OutputFile(OutputFile &&other) noexcept;
    OutputFile &operator=(OutputFile &&) = delete;

    /// NoSpace where the disk is full; the sentence names the place.
    Status write(std::string_view bytes);

    /// Brings the bytes to the disk and the file to its place.
    Status commit();

private:
    OutputFile(std::filesystem::path place, std::filesystem::path unfinished, int descriptor);
    Error failure(int why) const;

    std::filesystem::path m_place, m_unfinished; // m_unfinished is empty for a device
    int m_descriptor = -1;
};

/// An error where there is a pipe, a device or a socket at `place`, behind links too: what is to be read
/// again as a file needs one, and writing to those may wait for ever.
Status checkIsPlaceForFile(const std::filesystem::path &place);

/// Makes `place` a file of these bytes, and its folder where need be: whoever reads it finds the old ones or
/// the new ones, whole, whoever else writes there at the time. What is no file (a pipe, a device) is refused.
Status replaceFile(const std::filesystem::path &place, std::string_view bytes);

} // namespace perilune
