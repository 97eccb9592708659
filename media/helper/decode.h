#pragma once

#include "media/helper/channel.h"
#include "media/helper/source_file.h"

namespace perilune::helper {

/// Answers one request about one file over `channel`, until the main program wants no more. The whole work of
/// perilune-media; the limits around it are main's.
void serve(const SourceFile &file, const protocol::Request &request, Channel &channel);

} // namespace perilune::helper
