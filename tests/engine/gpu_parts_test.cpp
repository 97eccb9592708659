// The device's parts that need no GPU: the choice of a device, pieces of memory, estimates of time.
#include "engine/gpu/free_ranges.h"
#include "engine/gpu/memory_blocks.h"
#include "engine/gpu/pace.h"
#include "engine/gpu/vulkan_instance.h"
#include "tests/support/qtest_strings.h"

#include <array>
#include <random>

using namespace perilune;

class GpuPartsTest : public QObject {
    Q_OBJECT

private slots:
    void choosesTheFastestUsableDevice();
    void choosesByNameAndIndex();
    void saysWhyNoneFits();
    void piecesNeverOverlapAndMerge();
    void blocksAreCountedAsTheyAreTaken();
    void learnsHowLongAKernelTakes();
    void sharesOutTheTimeOfASubmission();
};

namespace {

DeviceInfo device(std::uint32_t index, const char *name, const char *kind, bool usable = true)
{
    return {index, name, kind, 1, 1, usable, usable ? "" : "it is too old"};
}

} // namespace

void GpuPartsTest::choosesTheFastestUsableDevice()
{
    QCOMPARE(*chooseDevice({device(0, "llvmpipe", "cpu"), device(1, "Iris", "integrated"),
                            device(2, "Old Radeon", "discrete", false), device(3, "GeForce", "discrete"),
                            device(4, "Arc", "discrete")},
                           ""),
             3u);
    QCOMPARE(*chooseDevice({device(0, "llvmpipe", "cpu"), device(1, "Virgl", "virtual")}, ""), 1u);
    QCOMPARE(*chooseDevice({device(0, "odd", "other"), device(1, "llvmpipe", "cpu")}, ""), 1u);
}

void GpuPartsTest::choosesByNameAndIndex()
{
    const std::vector<DeviceInfo> devices{device(0, "GeForce 4090", "discrete"),
                                          device(1, "llvmpipe (LLVM 15)", "cpu")};
    QCOMPARE(*chooseDevice(devices, "LLVMpipe"), 1u);
    QCOMPARE(*chooseDevice(devices, "1"), 1u);
    QCOMPARE(*chooseDevice(devices, "0"), 0u);
    QVERIFY(!chooseDevice(devices, "40")); // an index, and there is none of that number
    QCOMPARE(*chooseDevice(devices, "force 40"), 0u);
}

void GpuPartsTest::saysWhyNoneFits()
{
    QCOMPARE(chooseDevice({}, "").error().code, ErrorCode::NoDevice);
    const std::vector<DeviceInfo> devices{device(0, "Old Radeon", "discrete", false)};
    QCOMPARE(chooseDevice(devices, "").error().message,
             "no compute device can run the engine: 0 Old Radeon (unusable: it is too old)");
    QCOMPARE(
        chooseDevice(devices, "radeon").error().message,
        "no usable compute device is called \"radeon\"; there are: 0 Old Radeon (unusable: it is too old)");
}

void GpuPartsTest::piecesNeverOverlapAndMerge()
{
    constexpr std::uint64_t kBytes = 500;
    FreeRanges free(kBytes);
    std::array<bool, kBytes> used{};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
    std::mt19937 random(1);
    for (int step = 0; step < 5000; ++step) {
        if (random() % 2 == 0 && !pieces.empty()) {
            std::swap(pieces[random() % pieces.size()], pieces.back());
            const auto [offset, bytes] = pieces.back();
            pieces.pop_back();
            free.give(offset, bytes);
            std::fill_n(used.begin() + std::ptrdiff_t(offset), bytes, false);
            continue;
        }
        const std::uint64_t bytes = 1 + random() % 60;
        const std::optional<std::uint64_t> offset = free.take(bytes);
        std::uint64_t longest = 0;
        for (std::uint64_t i = 0, run = 0; i < kBytes; ++i) {
            run = used[i] ? 0 : run + 1;
            longest = std::max(longest, run);
        }
        QCOMPARE(offset.has_value(), longest >= bytes);
        if (!offset)
            continue;
        for (std::uint64_t i = *offset; i < *offset + bytes; ++i) {
            QVERIFY(!used[i]);
            used[i] = true;
        }
        pieces.emplace_back(*offset, bytes);
    }
    for (const auto &[offset, bytes] : pieces)
        free.give(offset, bytes);
    QVERIFY(free.allFree());
}

void GpuPartsTest::blocksAreCountedAsTheyAreTaken()
{
    const auto bytes = [](std::vector<std::uint64_t> allocations) { return bytesOfBlocks(allocations); };
    QCOMPARE(bytes({}), std::uint64_t(0));
    QCOMPARE(bytes({1}), kSharedBlock);
    QCOMPARE(bytes({16384}), std::uint64_t(16384));
    QCOMPARE(bytes({16385}), std::uint64_t(16640));
    QCOMPARE(bytes(std::vector<std::uint64_t>(27, 36 << 20)),
             std::uint64_t(27) * (36 << 20)); // no byte is wasted
    QCOMPARE(bytes(std::vector<std::uint64_t>(8, 8192)), kSharedBlock);
    QCOMPARE(bytes(std::vector<std::uint64_t>(9, 8192)), 2 * kSharedBlock);
    QCOMPARE(bytes({8192, 1 << 20, 100}), kSharedBlock + (1 << 20));
}

void GpuPartsTest::learnsHowLongAKernelTakes()
{
    Pace pace(1e-6);
    QCOMPARE(pace.seconds({3, 1000}), 1e-3);
    QVERIFY(!pace.known(3));

    pace.learn({3, 1000}, 0.1);
    QCOMPARE(pace.seconds({3, 2000}), 0.2);
    QVERIFY(pace.known(3) && !pace.known(2));

    pace.learn({3, 1000}, 0.2); // slower: believed at once
    QCOMPARE(pace.seconds({3, 1000}), 0.2);
    pace.learn({3, 1000}, 0.1); // faster: half way
    QCOMPARE(pace.seconds({3, 1000}), 0.15);
    pace.learn({3, 10}, 5e-4); // a short one would be at 0.05 a thousand: only lowers
    QCOMPARE(pace.seconds({3, 1000}), 0.05);
    pace.learn({3, 1}, 9e-4); // mostly overhead: says nothing
    QCOMPARE(pace.seconds({3, 1000}), 0.05);
}

void GpuPartsTest::sharesOutTheTimeOfASubmission()
{
    Pace pace(1e-6);
    const std::array<Pace::Work, 2> works{
        Pace::Work{0, 1000},
        Pace::Work{1, 3000}
    };

    pace.learn(works, 0.4);

    QCOMPARE(pace.seconds({0, 1000}), 0.1);
    QCOMPARE(pace.seconds({1, 3000}), 0.3);
}

QTEST_GUILESS_MAIN(GpuPartsTest)
#include "gpu_parts_test.moc"
