#pragma once

#include "engine/weights/expand.h"
#include "engine/weights/quantize.h"
#include "engine/weights/upload.h"
#include "engine/weights/work_crew.h"

namespace perilune {

/// Quantizes rows of a stored matrix on all threads and hands the data, in slices of a few MiB, to `take`;
/// their scales are appended to `scales`. Main memory holds a slice and the scales, whatever the matrix
/// takes. A file that can't be read ends it.
Status quantizeRows(const StoredMatrix &matrix, WeightFormat format, PartRows rows, WorkCrew &crew,
                    const UploadPart::Take &take, std::vector<std::byte> &scales);

} // namespace perilune
