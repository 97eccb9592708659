// Barriers: the tracker's choices against a checker that looks at every pair of calls, and the
// declarations of real kernels against a device that tries them out.
#include "engine/gpu/hazards.h"

#include "engine/kernels/launch.h"
#include "engine/kernels/rms_norm.h"
#include "engine/kernels/swiglu.h"
#include "shaders/spirv.h"
#include "shaders/swiglu.h"
#include "tests/support/kernel_test.h"
#include "tests/support/layer.h"
#include "tests/support/recorded_calls.h"

#include "tests/support/qtest_strings.h"
#include <random>

using namespace perilune;

class GpuHazardsTest : public QObject {
    Q_OBJECT

private slots:
    void rangesMergeAndOverlap();
    void eachKindOfHazardNeedsABarrier_data();
    void eachKindOfHazardNeedsABarrier();
    void noBarrierIsMissingOrWasted();
    void droppingABarrierBetweenKernelsIsNoticed();
    void aLayerNeedsEachOfItsBarriers_data();
    void aLayerNeedsEachOfItsBarriers();
    void undeclaredReadIsNoticed();
    void undeclaredWriteIsNoticed();
    void writeBesideATensorIsNoticed();
    void rightDeclarationPasses();

private:
    std::string runSwiglu(test::KernelTest &device, std::uint32_t columns,
                          const std::function<void(Dispatch &)> &change);
};

void GpuHazardsTest::rangesMergeAndOverlap()
{
    RangeSet set;
    set.add({100, 10});
    set.add({120, 10});
    QVERIFY(!set.overlaps({110, 10}));
    QVERIFY(!set.overlaps({130, 5}));
    QVERIFY(!set.overlaps({90, 10}));
    QVERIFY(set.overlaps({109, 1}));
    QVERIFY(set.overlaps({0, 1000}));
    QVERIFY(set.overlaps({115, 6}));
    QVERIFY(!set.overlaps({125, 0}));

    set.add({105, 20}); // closes the gap

    QVERIFY(set.overlaps({112, 1}));
    QVERIFY(!set.overlaps({130, 1}));
}

void GpuHazardsTest::eachKindOfHazardNeedsABarrier_data()
{
    using Ranges = std::vector<ByteRange>;
    QTest::addColumn<Ranges>("firstReads");
    QTest::addColumn<Ranges>("firstWrites");
    QTest::addColumn<Ranges>("thenReads");
    QTest::addColumn<Ranges>("thenWrites");
    QTest::addColumn<bool>("barrier");
    const Ranges a{
        {1000, 16}
    };
    const Ranges lastByteOfA{
        {1015, 1}
    };
    const Ranges b{
        {1016, 16}
    };
    const Ranges none;

    QTest::newRow("read after write") << none << a << lastByteOfA << b << true;
    QTest::newRow("write after write") << none << a << none << lastByteOfA << true;
    QTest::newRow("write after read") << a << b << none << lastByteOfA << true;
    QTest::newRow("read after read") << a << none << a << b << false;
    QTest::newRow("neighbours") << none << a << b << none << false;
}

void GpuHazardsTest::eachKindOfHazardNeedsABarrier()
{
    using Ranges = std::vector<ByteRange>;
    QFETCH(Ranges, firstReads);
    QFETCH(Ranges, firstWrites);
    QFETCH(Ranges, thenReads);
    QFETCH(Ranges, thenWrites);
    QFETCH(bool, barrier);
    HazardTracker tracker;

    QVERIFY(!tracker.needsBarrier(firstReads, firstWrites));
    QCOMPARE(tracker.needsBarrier(thenReads, thenWrites), barrier);
}

void GpuHazardsTest::noBarrierIsMissingOrWasted()
{
    std::mt19937 random(1);
    const auto ranges = [&] {
        std::vector<ByteRange> some(random() % 4);
        for (ByteRange &range : some)
            range = {random() % 400, random() % 12};
        return some;
    };
    for (int round = 0; round < 200; ++round) {
        std::vector<test::RecordedCall> calls(40);
        for (test::RecordedCall &call : calls)
            call = {"random", ranges(), ranges(), false};

        test::placeBarriers(calls);

        QCOMPARE(test::firstHazard(calls), "");
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!calls[i].barrierBefore)
                continue;
            calls[i].barrierBefore = false;
            QVERIFY2(!test::firstHazard(calls).empty(), "a barrier could be left out");
            calls[i].barrierBefore = true;
        }
    }
}

void GpuHazardsTest::droppingABarrierBetweenKernelsIsNoticed()
{
    test::RecordingDevice device;
    const Tensor x{0x10000, 4, 64, DType::F32};
    const Tensor weight{0x20000, 1, 64, DType::F32};
    const Tensor normed{0x30000, 4, 64, DType::F32};
    const Tensor other{0x40000, 4, 64, DType::F32};

    rmsNorm(device, x, weight, normed, 1e-6f); // reads x
    rmsNorm(device, x, weight, other, 1e-6f);  // no barrier: reads x, writes elsewhere
    swiglu(device, normed, other, x);          // reads both: a barrier
    rmsNorm(device, x, weight, normed, 1e-6f); // reads x again: a barrier

    std::vector<test::RecordedCall> calls = device.calls();
    test::placeBarriers(calls);
    QCOMPARE(test::firstHazard(calls), "");
    QVERIFY(!calls[0].barrierBefore && !calls[1].barrierBefore);
    QVERIFY(calls[2].barrierBefore && calls[3].barrierBefore);
    calls[2].barrierBefore = false;
    QCOMPARE(test::firstHazard(calls), "swiglu (2) reads what rms_norm (1) writes");
    calls[2].barrierBefore = true;
    calls[3].barrierBefore = false;
    QCOMPARE(test::firstHazard(calls), "rms_norm (3) reads what swiglu (2) writes");
}

void GpuHazardsTest::aLayerNeedsEachOfItsBarriers_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("position");
    QTest::newRow("decode") << 1 << 4000;
    QTest::newRow("prompt") << 200 << 0;
}

void GpuHazardsTest::aLayerNeedsEachOfItsBarriers()
{
    QFETCH(int, rows);
    QFETCH(int, position);
    test::RecordingDevice device;

    test::recordLayer(device, rows, position);

    std::vector<test::RecordedCall> calls = device.calls();
    test::placeBarriers(calls);
    QCOMPARE(test::firstHazard(calls), "");
    int barriers = 0;
    for (test::RecordedCall &call : calls) {
        if (!call.barrierBefore)
            continue;
        ++barriers;
        call.barrierBefore = false;
        QVERIFY2(!test::firstHazard(calls).empty(), "a barrier could be left out");
        call.barrierBefore = true;
    }
    qInfo("%d calls, %d barriers", int(calls.size()), barriers);
    QVERIFY(barriers < int(calls.size()) - 3); // some calls run side by side
}

// swiglu over two rows with its declaration changed; the first report.
std::string GpuHazardsTest::runSwiglu(test::KernelTest &device, std::uint32_t columns,
                                      const std::function<void(Dispatch &)> &change)
{
    device.clear();
    // As long as the rows that are asked for, so that what is written is always numbers: a NaN that was read
    // behind the inputs could pass for the NaN that the checks fill memory with.
    const std::vector<float> values = test::noise(std::size_t(2) * columns, 1);
    const Tensor gate = device.floats(2, columns, values);
    const Tensor up = device.floats(2, columns, values);
    const Tensor y = device.empty(2, 64);
    const params::SwigluParams params{gate.address, up.address, y.address, columns};
    Dispatch dispatch{
        .name = "swiglu",
        .code = spirv::swiglu,
        .groups = {ceilDivide(columns, 32), 2, 1},
        .constants = {32, 1, 1},
        .params = pushed(params),
        .reads = {gate.range(), up.range()},
        .writes = {y.range()}
    };
    change(dispatch);
    return device.run([&](Device &checked) { checked.dispatch(dispatch); });
}

void GpuHazardsTest::undeclaredReadIsNoticed()
{
    test::KernelTest device;
    if (!device.missing().empty())
        QSKIP(device.missing().c_str());

    const std::string report = runSwiglu(device, 64, [](Dispatch &d) { d.reads.pop_back(); });
    const std::string oneWordReport = runSwiglu(device, 64, [](Dispatch &d) { d.reads[0].bytes -= 4; });

    QVERIFY2(report.find("swiglu depends on bytes it doesn't declare as read") == 0, report.c_str());
    QVERIFY2(oneWordReport.find("swiglu depends on bytes") == 0, oneWordReport.c_str());
}

void GpuHazardsTest::undeclaredWriteIsNoticed()
{
    test::KernelTest device;
    if (!device.missing().empty())
        QSKIP(device.missing().c_str());

    const std::string report = runSwiglu(device, 64, [](Dispatch &d) { d.writes.clear(); });
    const std::string oneWordReport = runSwiglu(device, 64, [](Dispatch &d) { d.writes[0].bytes -= 4; });

    QVERIFY2(report.find("swiglu wrote outside its declared writes: byte 0 ") == 0, report.c_str());
    QVERIFY2(oneWordReport.find("swiglu wrote outside its declared writes: byte 508 ") == 0,
             oneWordReport.c_str());
}

void GpuHazardsTest::writeBesideATensorIsNoticed()
{
    test::KernelTest device;
    if (!device.missing().empty())
        QSKIP(device.missing().c_str());

    // Rows longer than the tensor's: the second one ends behind it.
    const std::string report = runSwiglu(device, 66, [](Dispatch &) {});

    QVERIFY2(report.find("swiglu wrote outside its declared writes: byte 512 ") == 0, report.c_str());
}

void GpuHazardsTest::rightDeclarationPasses()
{
    test::KernelTest device;
    if (!device.missing().empty())
        QSKIP(device.missing().c_str());

    QCOMPARE(runSwiglu(device, 64, [](Dispatch &) {}), "");
}

QTEST_GUILESS_MAIN(GpuHazardsTest)
#include "gpu_hazards_test.moc"
