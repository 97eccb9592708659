// What the window shows of what the model sees.
#include "ui/viewmodel/seen_model.h"

#include <QGuiApplication>
#include <QTest>

using namespace perilune;
using namespace perilune::ui;

class SeenModelTest : public QObject {
    Q_OBJECT

private slots:
    void pictureStandsUnderItsGrid();
    void framesStandInTheirChunksWithTimes();
    void costsOfFewerFramesAreTold();
};

/// `config`: a preprocessor_config.json below the root; none: as Kimi K2.5 has it.
static Attachment prepared(MediaPart::Kind kind, const std::string &path, const std::string &config)
{
    const MediaPart part{.kind = kind, .path = SOURCE_DIR + path, .name = "shown", .patches = nullptr};
    Result<Attachment> result =
        prepareMedia(part, KindFrom::File, config.empty() ? config : SOURCE_DIR + config, {});
    return result ? *std::move(result) : Attachment();
}

void SeenModelTest::pictureStandsUnderItsGrid()
{
    const Attachment attachment =
        prepared(MediaPart::Kind::Image, "/packaging/demo-model/samples/two_shapes.png",
                 "/packaging/demo-model/model/preprocessor_config.json");
    SeenModel seen;

    seen.show(attachment);

    QVERIFY(seen.shown() && !seen.video());
    QCOMPARE(seen.facts(),
             QString("448 × 448 pixels, seen as 134 × 134 pixels in 10 × 10 patches, 25 tokens"));
    QCOMPARE(seen.rowCount(), 1);
    // 134 pixels and 6 of padding: five cells of 28 a side.
    const auto image = seen.index(0).data(SeenModel::ImageRole).value<QImage>();
    QCOMPARE(image.size(), QSize(141, 141));
    QVERIFY(qGray(image.pixel(28, 70)) != qGray(image.pixel(42, 70)) ||
            qGray(image.pixel(56, 70)) != qGray(image.pixel(42, 70)));
    QCOMPARE(image.pixelColor(137, 70), QColor(Qt::black)); // padding
    QVERIFY(image.pixelColor(130, 70) != QColor(Qt::black));
    seen.hide();
    QVERIFY(!seen.shown());
    QCOMPARE(seen.rowCount(), 0);
}

void SeenModelTest::framesStandInTheirChunksWithTimes()
{
    const Attachment attachment =
        prepared(MediaPart::Kind::Video, "/tests/data/media/clips/long_12fps.mp4", {});
    SeenModel seen;

    seen.show(attachment);

    QVERIFY(seen.video());
    QCOMPARE(seen.rowCount(), int(attachment.frameSeconds.size()));
    QCOMPARE(seen.rowCount(), 25);
    for (int row = 0; row < seen.rowCount(); ++row) {
        QVERIFY(!seen.index(row).data(SeenModel::ImageRole).value<QImage>().isNull());
        const QString chunk = seen.index(row).data(SeenModel::ChunkRole).toString();
        QCOMPARE(chunk.isEmpty(), row % 4 != 0);
    }
    QCOMPARE(seen.index(24).data(SeenModel::CaptionRole).toString(), QString("12.42 s"));
    QCOMPARE(seen.index(4).data(SeenModel::ChunkRole).toString(), QString("00:00:02.083, 6 tokens"));
    QVERIFY2(seen.facts().endsWith(" in 7 chunks, 42 tokens"), qPrintable(seen.facts()));
}

void SeenModelTest::costsOfFewerFramesAreTold()
{
    Attachment attachment;
    attachment.part.kind = MediaPart::Kind::Video;
    attachment.notes = {"a note"};
    attachment.choices = ClipChoices{
        .whole = {25, 42, 0, 12.5},
          .thinned = ClipCost{8,  12, 0, 12.5},
          .trimmed = ClipCost{8,  12, 0, 4.25}
    };
    SeenModel seen;

    seen.show(attachment);

    QCOMPARE(seen.notes(), (QStringList{"a note", "All of it: 25 frames from 0.00 s to 12.50 s, 42 tokens",
                                        "Thinned: 8 frames from 0.00 s to 12.50 s, 12 tokens",
                                        "Only the beginning: 8 frames from 0.00 s to 4.25 s, 12 tokens"}));
}

QTEST_MAIN(SeenModelTest)
#include "seen_model_test.moc"
