#include "app/settings.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace perilune;

class SettingsTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsNoFileIsSaid();
    void missingFileGivesDefaults();
    void comesBackAsSaved();
    void unknownKeysStay();
    void damagedFileIsPutAside();
    void unfitValuesKeepTheirDefaults();
    void failedSaveKeepsTheOldFile();

private:
    static void write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

void SettingsTest::missingFileGivesDefaults()
{
    const QTemporaryDir folder;

    const SettingsFile file = SettingsFile::open(folder.filePath("settings.json").toStdString());

    QVERIFY(file.notice().empty());
    QVERIFY(file.values().thinking);
    QVERIFY(!QFile::exists(folder.filePath("settings.json")));
}

void SettingsTest::comesBackAsSaved()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("new/folder/settings.json").toStdString();
    SettingsFile file = SettingsFile::open(path);
    Settings settings;
    settings.theme = Settings::Theme::Dark;
    settings.textScale = 1.25;
    settings.thinking = false;
    settings.sampling.temperature = 0.25f;
    settings.sampling.topK = 40;
    settings.modelFolder = "/models/Kimi \"K2\" ä";
    settings.windowWidth = 640;

    QVERIFY(file.save(settings));

    const Settings again = SettingsFile::open(path).values();
    QCOMPARE(again.theme, Settings::Theme::Dark);
    QCOMPARE(again.textScale, 1.25);
    QCOMPARE(again.thinking, false);
    QCOMPARE(again.sampling.temperature, std::optional(0.25f));
    QCOMPARE(again.sampling.topK, std::optional(40u));
    QVERIFY(!again.sampling.topP); // left to the model
    QCOMPARE(again.modelFolder, settings.modelFolder);
    QCOMPARE(again.windowWidth, 640);
    QCOMPARE(QDir(folder.filePath("new/folder")).entryList(QDir::Files), QStringList("settings.json"));
}

void SettingsTest::unknownKeysStay()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.json");
    write(path, R"({"fromTheFuture": {"a": [1, 2]}, "thinking": false})");
    SettingsFile file = SettingsFile::open(path.toStdString());
    QVERIFY(!file.values().thinking);

    QVERIFY(file.save({}));

    QVERIFY(read(path).contains("fromTheFuture"));
    QVERIFY(SettingsFile::open(path.toStdString()).values().thinking);
}

void SettingsTest::damagedFileIsPutAside()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.json");
    for (const QByteArray &bytes :
         {QByteArray("{\"thinking\": fal"), QByteArray(64, '\0'), QByteArray("[1]")}) {
        write(path, bytes);

        const SettingsFile file = SettingsFile::open(path.toStdString());

        QVERIFY(QString::fromStdString(file.notice()).contains("settings.json.damaged"));
        QCOMPARE(read(path + ".damaged"), bytes);
        QVERIFY(file.values().thinking);
    }
}

void SettingsTest::unfitValuesKeepTheirDefaults()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.json");
    write(path,
          R"({"temperature": "hot", "topP": 7, "maxNewTokens": -3, "theme": "pink", "windowWidth": 1e300,
                    "textScale": 2})");

    const SettingsFile file = SettingsFile::open(path.toStdString());

    const Settings defaults;
    QCOMPARE(file.values().sampling.temperature, defaults.sampling.temperature);
    QCOMPARE(file.values().sampling.topP, defaults.sampling.topP);
    QCOMPARE(file.values().maxNewTokens, defaults.maxNewTokens);
    QCOMPARE(file.values().theme, defaults.theme);
    QCOMPARE(file.values().windowWidth, defaults.windowWidth);
    QCOMPARE(file.values().textScale, 2.0);
    QVERIFY(file.notice().empty());
}

void SettingsTest::failedSaveKeepsTheOldFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.json");
    SettingsFile file = SettingsFile::open(path.toStdString());
    QVERIFY(file.save({}));
    const QByteArray before = read(path);

    Settings settings;
    settings.thinking = false;
    rlimit limit{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit little{10, limit.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &little), 0);
    const Status saved = file.save(settings);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);

    QVERIFY(!saved);
    QVERIFY2(QString::fromStdString(saved.error().message).startsWith("keeping the settings: the file "),
             saved.error().message.c_str());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"settings.json"});
    QCOMPARE(read(path), before);
    QVERIFY(file.values().thinking);
}

void SettingsTest::whatIsNoFileIsSaid()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("settings.json");
    QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);

    SettingsFile file = SettingsFile::open(path.toStdString()); // doesn't wait for a writer

    QCOMPARE(QString::fromStdString(file.notice()),
             path + " is a pipe or a device, not a file; the usual settings are in use.");
    const Status saved = file.save({});
    QVERIFY(!saved);
    QCOMPARE(QString::fromStdString(saved.error().message),
             "keeping the settings: " + path + " is a pipe or a device, not a file");
}

QTEST_GUILESS_MAIN(SettingsTest)
#include "settings_test.moc"
