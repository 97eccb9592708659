#include "media/geometry.h"

#include "tests/media/media_golden.h"

using namespace perilune;
using test::Json;

class GeometryTest : public QObject {
    Q_OBJECT

private slots:
    void plansMatchTheReference();
    void plansMatchTheResizeTable();
    void emptyPicturesAreRefused();
};

static MediaConfig setting(const std::string &name)
{
    MediaConfig config;
    if (name == "limit4096_side64") {
        config.patchLimit = 4096;
        config.sideLimit = 64;
    } else if (name == "tiny16") {
        config.patchLimit = 16;
        config.sideLimit = 8;
    } else if (name == "video_total_8192_4frames") {
        config.videoPatchLimit = 8192;
    } else if (name.starts_with("kimi_vl")) {
        config.layout = MediaConfig::Layout::KimiVl;
        config.patchLimit = name == "kimi_vl_4096" ? 4096 : 16384;
    }
    return config;
}

void GeometryTest::plansMatchTheReference()
{
    std::size_t compared = 0, refused = 0;
    for (const Json &line : test::readJsonLines("geometry.jsonl")) {
        const std::uint32_t width = line.at("w"), height = line.at("h");
        for (const auto &[name, wanted] : line.items()) {
            if (name == "w" || name == "h")
                continue;
            const MediaConfig config = setting(name);
            const bool frame = name == "k25_frame" || name == "video_total_8192_4frames";

            const auto plan =
                frame ? planFrame(width, height, 4, config) : planPicture(width, height, config);

            const std::string where = name + " " + std::to_string(width) + "x" + std::to_string(height);
            ++compared;
            if (wanted.is_string()) {
                QVERIFY2(!plan, where.c_str());
                ++refused;
                continue;
            }
            QVERIFY2(plan.has_value(), where.c_str());
            const Json got = {plan->width, plan->height, plan->padWidth, plan->padHeight, plan->tokens};
            QVERIFY2(got == wanted, (where + ": " + got.dump() + " instead of " + wanted.dump()).c_str());
        }
    }
    QCOMPARE(compared, std::size_t(2100));
    QVERIFY(refused > 10);
}

void GeometryTest::plansMatchTheResizeTable()
{
    const auto table = test::GoldenTensors("preprocess.safetensors").values<std::int64_t>("resize_table");
    for (std::size_t row = 0; row + 9 <= table.size(); row += 9) {
        const std::int64_t *t = &table[row];
        MediaConfig config;
        config.patchLimit = std::uint32_t(t[2]);
        config.sideLimit = std::uint32_t(t[3]);

        const auto plan = planPicture(std::uint32_t(t[0]), std::uint32_t(t[1]), config);

        QVERIFY(plan.has_value());
        QCOMPARE(plan->width, std::uint32_t(t[4]));
        QCOMPARE(plan->height, std::uint32_t(t[5]));
        QCOMPARE(plan->padWidth, std::uint32_t(t[6]));
        QCOMPARE(plan->padHeight, std::uint32_t(t[7]));
        QCOMPARE(plan->tokens, std::uint64_t(t[8]));
    }
}

void GeometryTest::emptyPicturesAreRefused()
{
    QVERIFY(!planPicture(0, 5, {}));
    QVERIFY(!planPicture(5, 0, {}));
}

QTEST_GUILESS_MAIN(GeometryTest)
#include "geometry_test.moc"
