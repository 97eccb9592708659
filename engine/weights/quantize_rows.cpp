#include "engine/weights/quantize_rows.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::uint64_t kSlice = 4 << 20; // bytes of data between two calls of `take`
constexpr std::uint64_t kStep = 64 << 10; // that a thread makes at once

} // namespace

Status quantizeRows(const StoredMatrix &matrix, WeightFormat format, PartRows rows, WorkCrew &crew,
                    const UploadPart::Take &take, std::vector<std::byte> &scales)
{
    const QuantizedBytes bytes = quantizedBytes(format, matrix.columns);
    const std::uint64_t slice = std::max<std::uint64_t>(kSlice / bytes.dataOfRow, 1);
    const std::uint64_t step = std::max<std::uint64_t>(kStep / bytes.dataOfRow, 1);
    std::vector<std::byte> data;
    for (std::uint64_t done = 0; done < rows.count; done += slice) {
        const std::uint64_t count = std::min(slice, rows.count - done);
        data.resize(count * bytes.dataOfRow);
        const std::size_t before = scales.size();
        scales.resize(before + count * bytes.scalesOfRow);
        std::vector<Status> read((count + step - 1) / step, Done{});
        crew.run(read.size(), [&](std::uint64_t i) {
            std::vector<float> values(matrix.columns);
            for (std::uint64_t row = i * step; row < std::min((i + 1) * step, count); ++row) {
                read[i] = expandRow(matrix, rows.first + done + row, values);
                if (!read[i])
                    return;
                quantizeRow(values, format, std::span(data).subspan(row * bytes.dataOfRow, bytes.dataOfRow),
                            std::span(scales).subspan(before + row * bytes.scalesOfRow, bytes.scalesOfRow));
            }
        });
        const auto failed = std::ranges::find_if(read, [](const Status &status) { return !status; });
        if (failed != read.end())
            return *failed;
        if (Status taken = take(data); !taken)
            return taken;
    }
    return Done{};
}

} // namespace perilune
