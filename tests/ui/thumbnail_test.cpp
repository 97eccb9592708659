// Small views of stored media: made once.
#include "ui/viewmodel/thumbnail_provider.h"

#include <QFile>
#include <QQuickTextureFactory>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune::ui;

class ThumbnailTest : public QObject {
    Q_OBJECT

private slots:
    void viewsAreMadeOnce_data();
    void viewsAreMadeOnce();
    void whatIsGoneIsTold();

private:
    /// What the window gets for an address; null where it fails.
    static QImage view(ThumbnailProvider &provider, const QString &address, const QSize &size)
    {
        const QString id = address.section('/', 3);
        const std::unique_ptr<QQuickImageResponse> response(provider.requestImageResponse(id, size));
        const std::unique_ptr<QQuickTextureFactory> texture(response->textureFactory());
        return texture ? texture->image() : QImage();
    }
    ThumbnailProvider m_provider{[](const std::function<void()> &job) { job(); }};
    QTemporaryDir m_folder;
};

void ThumbnailTest::viewsAreMadeOnce_data()
{
    QTest::addColumn<QString>("sample");
    QTest::addColumn<bool>("film");
    QTest::newRow("picture") << "two_shapes.png" << false;
    QTest::newRow("clip") << "moving_circle.mp4" << true;
}

void ThumbnailTest::viewsAreMadeOnce()
{
    QFETCH(QString, sample);
    QFETCH(bool, film);
    const QString path = m_folder.filePath(sample);
    QVERIFY(QFile::copy(SOURCE_DIR "/packaging/demo-model/samples/" + sample, path));
    const QString address = film ? ThumbnailProvider::filmSource(path) : ThumbnailProvider::source(path);
    const QImage first = view(m_provider, address, {200, 200});
    QVERIFY(!first.isNull());

    QVERIFY(QFile::remove(path));

    QCOMPARE(view(m_provider, address, {200, 200}), first);
    QVERIFY(view(m_provider, address, {100, 100}).isNull()); // another size is another view
}

void ThumbnailTest::whatIsGoneIsTold()
{
    QVERIFY(view(m_provider, ThumbnailProvider::source("/nowhere/x.png"), {}).isNull());
}

QTEST_MAIN(ThumbnailTest)
#include "thumbnail_test.moc"
