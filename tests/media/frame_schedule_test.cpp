#include "media/frame_schedule.h"

#include "tests/media/media_golden.h"

using namespace perilune;
using test::Json;

class FrameScheduleTest : public QObject {
    Q_OBJECT

private slots:
    void indicesMatchTheReference();
    void timestampsMatchTheReference();
    void framesByTimeAreThoseOnTheScreen();
    void fewFramesAreSpreadOverTheWholeClip();
    void claimedCenturiesTakeNoTime();
    void steadinessIsMeasuredInHalfFrames();
};

static std::vector<std::string> chunkTimes(const std::vector<std::uint32_t> &indices, double fps)
{
    std::vector<std::string> times;
    for (std::size_t i = 0; i < indices.size(); i += 4)
        times.push_back(timestampText(indices[i] / fps, MediaConfig::TimestampMode::HoursMillis));
    return times;
}

void FrameScheduleTest::indicesMatchTheReference()
{
    const auto lines = test::readJsonLines("sampling.jsonl");
    QCOMPARE(lines.size(), std::size_t(162));
    for (const Json &line : lines) {
        const double fps = line.at("fps");

        const auto indices = sampleByIndex(line.at("num_frames"), fps, line.at("sample_fps"), std::nullopt);

        QCOMPARE(indices.size(), line.at("sampled_nframes").get<std::size_t>());
        auto times = chunkTimes(indices, fps);
        QCOMPARE(times.size(), line.at("n_chunks").get<std::size_t>());
        times.resize(std::min<std::size_t>(times.size(), 40));
        QVERIFY2(Json(times) == line.at("timestamps"), line.dump().c_str());
        if (line.contains("frame_indices")) {
            QVERIFY2(Json(indices) == line.at("frame_indices"), line.dump().c_str());
        } else {
            QVERIFY(Json(std::vector(indices.begin(), indices.begin() + 50)) ==
                    line.at("frame_indices_head"));
            QVERIFY(Json(std::vector(indices.end() - 10, indices.end())) == line.at("frame_indices_tail"));
        }
    }
}

void FrameScheduleTest::timestampsMatchTheReference()
{
    using Mode = MediaConfig::TimestampMode;
    const auto lines = test::readJsonLines("timestamps.jsonl");
    QCOMPARE(lines.size(), std::size_t(26));
    for (const Json &line : lines) {
        const double seconds = line.at("seconds");
        QCOMPARE(timestampText(seconds, Mode::HoursMillis), line.at("hh:mm:ss.fff").get<std::string>());
        QCOMPARE(timestampText(seconds, Mode::MinutesMillis), line.at("mm:ss.fff").get<std::string>());
        QCOMPARE(timestampText(seconds, Mode::Minutes), line.at("mm:ss").get<std::string>());
    }
}

void FrameScheduleTest::framesByTimeAreThoseOnTheScreen()
{
    // Looked at at 0, 0.5, 1 … 2.5 s; the frame at 1.2 s stays until the end and is taken once.
    const std::vector<double> times{0, 0.1, 0.4, 0.5, 0.9, 1.2};

    QCOMPARE(sampleByTime(times, 3.0, 2.0, std::nullopt), (std::vector<std::uint32_t>{0, 3, 4, 5}));
    QCOMPARE(sampleByTime(std::vector<double>{0}, 0.04, 2.0, std::nullopt), (std::vector<std::uint32_t>{0}));
}

void FrameScheduleTest::fewFramesAreSpreadOverTheWholeClip()
{
    std::vector<double> times;
    for (int i = 0; i < 100; ++i)
        times.push_back(i * 0.1);

    QCOMPARE(sampleByTime(times, 10, 2.0, 3), (std::vector<std::uint32_t>{0, 49, 99}));
    QCOMPARE(sampleByIndex(100, 10, 2.0, 3), (std::vector<std::uint32_t>{0, 50, 99}));
    QCOMPARE(sampleByIndex(100, 10, 2.0, 1), (std::vector<std::uint32_t>{0}));
}

void FrameScheduleTest::claimedCenturiesTakeNoTime()
{
    const std::vector<double> times{0, 0.5, 1e15, 1e15 + 1};

    QCOMPARE(sampleByTime(times, 1e300, 2.0, std::nullopt), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

void FrameScheduleTest::steadinessIsMeasuredInHalfFrames()
{
    QVERIFY(isConstantRate(std::vector<double>{0, 0.033, 0.067, 0.1}, 30)); // rounded to milliseconds
    QVERIFY(!isConstantRate(std::vector<double>{0, 0.033, 0.067, 0.12}, 30));
    QVERIFY(!isConstantRate(std::vector<double>{0}, 0));
}

QTEST_GUILESS_MAIN(FrameScheduleTest)
#include "frame_schedule_test.moc"
