// One photo, stored in each of the eight ways that cameras hold them: the demo model's answer is the same.
#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTransform>

class DemoOrientationsTest : public QObject {
    Q_OBJECT

private slots:
    void everyOrientationIsAnsweredAlike();

private:
    QString answerTo(const QByteArray &photo)
    {
        QFile file(m_folder.filePath("photo.jpg"));
        if (!file.open(QIODevice::WriteOnly) || file.write(photo) != photo.size())
            return {};
        file.close();
        QProcess chat;
        chat.start(PERILUNE_CLI, {"chat", "--json", "--temperature", "0", "--thinking", "off", "--model",
                                  SOURCE_DIR "/packaging/demo-model/model", "--image", file.fileName(),
                                  "What do you see?"});
        if (!chat.waitForFinished(120'000) || chat.exitCode() != 0)
            return {};
        return QJsonDocument::fromJson(chat.readAllStandardOutput()).object()["content"].toString();
    }

    QTemporaryDir m_folder;
};

/// The pixels as a camera stores them that says `orientation`, by the EXIF standard's words for where the
/// first row and the first column of the stored pixels are seen.
static QImage stored(const QImage &seen, int orientation)
{
    const auto turned = [&](qreal degrees) { return seen.transformed(QTransform().rotate(degrees)); };
    switch (orientation) {
    case 2: return seen.mirrored(true, false);        // top, right
    case 3: return seen.mirrored(true, true);         // bottom, right
    case 4: return seen.mirrored(false, true);        // bottom, left
    case 5: return turned(90).mirrored(true, false);  // left, top
    case 6: return turned(-90);                       // right, top
    case 7: return turned(-90).mirrored(true, false); // right, bottom
    case 8: return turned(90);                        // left, bottom
    default: return seen;
    }
}

static QByteArray jpeg(const QImage &image, int orientation)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "JPEG", 100))
        return {};
    if (orientation > 0) {
        // APP1 with one tag, 0x112, a short; big-endian; after the start marker.
        QByteArray tag = QByteArray::fromHex("ffe10022457869660000"
                                             "4d4d002a00000008"
                                             "0001"
                                             "011200030000000100000000"
                                             "00000000");
        tag[29] = char(orientation);
        bytes.insert(2, tag);
    }
    return bytes;
}

void DemoOrientationsTest::everyOrientationIsAnsweredAlike()
{
    const QImage photo(SOURCE_DIR "/packaging/demo-model/samples/three_shapes.png");
    QVERIFY(!photo.isNull());
    const QImage seen = photo.convertToFormat(QImage::Format_RGB888);
    const QString wanted = answerTo(jpeg(seen, 0));
    QVERIFY(wanted.contains("shapes"));

    for (int orientation = 1; orientation <= 8; ++orientation)
        QCOMPARE(answerTo(jpeg(stored(seen, orientation), orientation)), wanted);

    // And it is the orientation that does it: the stored pixels alone are another picture.
    QVERIFY(answerTo(jpeg(stored(seen, 3), 0)) != wanted);
}

QTEST_GUILESS_MAIN(DemoOrientationsTest)
#include "demo_orientations_test.moc"
