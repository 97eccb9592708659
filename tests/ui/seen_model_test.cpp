// What the window shows of what the model sees.
#include "ui/viewmodel/attachment_model.h"
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
    void everyChoiceCostsWhatItSays_data();
    void everyChoiceCostsWhatItSays();
    void partsCostWhatTheySay();
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

    QCOMPARE(seen.notes(), (QStringList{"a note", "All of it: 25 frames from 0.00 s to 12.50 s, 42 tokens"}));
    QCOMPARE(seen.choices()->details()->count(), 0); // nobody says what they cost
}

/// The choices of a list, each with the words for its cost.
static std::vector<std::pair<MediaChoice, QString>> optionsOf(ChoiceList *list)
{
    std::vector<std::pair<MediaChoice, QString>> options;
    MediaChoice picked;
    const auto connection = QObject::connect(list, &ChoiceList::chosen,
                                             [&picked](const MediaChoice &choice) { picked = choice; });
    for (int row = 0; row < list->count(); ++row) {
        if (list->index(row).data(ChoiceList::ChosenRole).toBool())
            continue; // choosing it again says nothing
        list->choose(row);
        options.emplace_back(picked, list->index(row).data(ChoiceList::CostRole).toString());
    }
    QObject::disconnect(connection);
    return options;
}

void SeenModelTest::everyChoiceCostsWhatItSays_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QList<int>>("rows"); // of the lists: kinds, details, frames, fits
    QTest::newRow("picture") << "/packaging/demo-model/samples/two_shapes.png" << QList<int>{0, 3, 0, 0};
    QTest::newRow("clip") << "/tests/data/media/clips/long_12fps.mp4" << QList<int>{0, 3, 4, 0};
    QTest::newRow("animation") << "/tests/data/media/animations/moving.webp" << QList<int>{2, 3, 3, 0};
    QTest::newRow("animation called a picture")
        << "/tests/data/media/animations/moving.png" << QList<int>{2, 3, 2, 0};
}

void SeenModelTest::everyChoiceCostsWhatItSays()
{
    QFETCH(QString, file);
    QFETCH(QList<int>, rows);
    const Attachment attachment = prepared(MediaPart::Kind::Image, file.toStdString(), {});
    SeenModel seen;
    seen.show(attachment);
    SeenChoices *choices = seen.choices();
    ChoiceList *lists[] = {choices->kinds(), choices->details(), choices->frames(), choices->fits()};

    for (int i = 0; i < 4; ++i) {
        QCOMPARE(lists[i]->count(), rows[i]);
        for (const auto &[choice, cost] : optionsOf(lists[i])) {
            MediaPart part = attachment.part;
            part.choice = choice;
            const Result<Attachment> taken = prepareMedia(part, KindFrom::File, {}, {});
            QVERIFY(taken.has_value());
            QCOMPARE(cost, taken->tokens == 1 ? "1 token" : QString("%1 tokens").arg(taken->tokens));
            QVERIFY(taken->part.choice == choice);
            QCOMPARE(taken->part.kind == MediaPart::Kind::Image,
                     rows[2] == 0 ||
                         choice.firstFrame); // an animation is seen by its first frame, or is a clip
        }
    }
}

void SeenModelTest::partsCostWhatTheySay()
{
    const Attachment attachment =
        prepared(MediaPart::Kind::Video, "/tests/data/media/clips/long_12fps.mp4", {});
    SeenModel seen;
    seen.show(attachment);
    SeenChoices *choices = seen.choices();
    std::vector<MediaChoice> chosen;
    connect(choices, &SeenChoices::chosen,
            [&chosen](const MediaChoice &choice) { chosen.push_back(choice); });
    QVERIFY(choices->hasPart());
    QCOMPARE(choices->duration(), 12.5);
    QCOMPARE(choices->partText(), QString("0.0 s to 12.5 s: 25 frames, 42 tokens"));

    choices->setPart(4, 8);
    choices->setPart(5.04, 6.98);

    QCOMPARE(choices->partText(), QString("5.0 s to 7.0 s: 4 frames, 6 tokens"));
    QVERIFY(chosen.empty()); // the hand may still move
    QTRY_COMPARE(chosen.size(), std::size_t(1));
    QVERIFY(chosen[0] == (MediaChoice{.fromSeconds = 5.0, .toSeconds = 7.0}));
    MediaPart part = attachment.part;
    part.choice = chosen[0];
    const Result<Attachment> taken = prepareMedia(part, KindFrom::File, {}, {});
    QCOMPARE(taken->tokens, std::uint64_t(6));
    QCOMPARE(taken->frameSeconds.size(), std::size_t(4));
    QCOMPARE(attachmentDetail(*taken), QString("5.0–7.0 of 12.5 s · 4 frames · 6 tokens"));

    choices->setPart(0, 12.5); // all of it is no part
    QTRY_COMPARE(chosen.size(), std::size_t(2));
    QVERIFY(chosen[1] == MediaChoice());
    choices->setPart(3, 3); // no frame is shown in no time
    QVERIFY2(choices->partText().endsWith("no frame is shown in the part that was asked for"),
             qPrintable(choices->partText()));
    QTest::qWait(600);
    QCOMPARE(chosen.size(), std::size_t(2));
}

QTEST_MAIN(SeenModelTest)
#include "seen_model_test.moc"
