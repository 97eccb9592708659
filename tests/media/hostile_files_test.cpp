// Every golden file, cut off and with flipped bits: the decoder may refuse it or make something of it, but
// every outcome is a result or a sentence, and this process lives.
#include "media/prepare.h"

#include "tests/media/media_golden.h"
#include "tests/media/numbered_clip.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

using namespace perilune;

class HostileFilesTest : public QObject {
    Q_OBJECT

private slots:
    void mutantsAreReadOrRefusedInWords();
    void cutOffPicturesAreRefused_data();
    void cutOffPicturesAreRefused();
    void bombsAreRefusedBeforeTheyAreDecoded_data();
    void bombsAreRefusedBeforeTheyAreDecoded();
    void longSidesAreSaidAsSuch();
    void cutOffClipsGiveWhatIsThere();

private:
    std::string write(const QString &name, const QByteArray &bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("can't write %s", qPrintable(name));
        return file.fileName().toStdString();
    }

    QTemporaryDir m_folder;
};

static std::vector<std::string> goldenFiles()
{
    std::vector<std::string> files;
    for (const char *folder : {"pictures", "clips", "modern", "kinds", "animations"}) {
        for (const QFileInfo &file :
             QDir(QString::fromStdString(test::mediaData(folder))).entryInfoList(QDir::Files)) {
            if (file.fileName() != "big6000x4000.png") // slow, and a PNG like the others
                files.push_back(file.filePath().toStdString());
        }
    }
    return files;
}

/// Clips in containers that the goldens don't have.
static std::vector<std::string> madeFiles(const QTemporaryDir &folder)
{
    struct Made {
        const char *file, *encoder;
    };
    std::vector<std::string> files;
    for (const Made &made : {
             Made{"a.ts",  "mpeg2video"},
             Made{"b.avi", "mpeg4"     },
             Made{"c.mkv", "libx265"   },
             Made{"d.mp4", "libaom-av1"},
             Made{"e.ogv", "libtheora" },
             Made{"f.mov", "prores_ks" }
    }) {
        if (!test::hasEncoder(made.encoder))
            continue;
        test::ClipPlan plan = test::numbered(12);
        plan.encoder = made.encoder;
        if (plan.encoder == "prores_ks")
            plan.format = AV_PIX_FMT_YUV422P10;
        if (plan.encoder == "libx265")
            plan.encoderOptions = {
                {"x265-params", "log-level=none:pools=1"}
            };
        if (plan.encoder == "libaom-av1")
            plan.encoderOptions = {
                {"usage",    "realtime"},
                {"cpu-used", "8"       }
            };
        files.push_back(folder.filePath(made.file).toStdString());
        writeClip(files.back(), plan);
    }
    return files;
}

/// Whether an error is one sentence that a person can read: it names the file, is a single line, and has no
/// names of C++ in it.
static bool isSentence(const std::string &message, const std::string &path)
{
    if (!message.starts_with(path) || message.size() < path.size() + 10 || message.size() > path.size() + 300)
        return false;
    const std::string rest = message.substr(path.size());
    return rest.find("::") == std::string::npos && rest.find(". ") == std::string::npos &&
           std::none_of(rest.begin(), rest.end(), [](unsigned char c) { return c < 0x20; });
}

/// What `seed` makes of a file: cut at any place, or with up to 16 bytes changed, most of them near the
/// beginning, where the structure is.
static QByteArray mutant(QByteArray bytes, unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](qsizetype limit) {
        return qsizetype(random() % unsigned(std::max<qsizetype>(limit, 1)));
    };
    if (seed % 3 == 0)
        return bytes.left(1 + below(bytes.size() - 1));
    const qsizetype changes = 1 + below(16);
    for (qsizetype i = 0; i < changes; ++i) {
        const qsizetype range = random() % 2 ? bytes.size() : std::min<qsizetype>(bytes.size(), 200);
        char &byte = bytes[below(range)];
        byte = random() % 2 ? char(byte ^ (1 << random() % 8)) : char(random());
    }
    return bytes;
}

/// What became of the mutants of one kind of file.
struct Tally {
    std::size_t read = 0, refused = 0, crashed = 0;
    double slowest = 0; ///< seconds
};

/// What is said of mutants, for a person to look at: a line for each kind of file, and each sentence with how
/// often it came.
class Findings {
public:
    void add(const std::string &original, unsigned seed, const std::string &path,
             const Result<Prepared> &prepared, double seconds)
    {
        const std::lock_guard lock(m_mutex);
        Tally &tally = m_kinds[QFileInfo(QString::fromStdString(original)).suffix().toLower()];
        tally.slowest = std::max(tally.slowest, seconds);
        ++(prepared ? tally.read : tally.refused);
        if (seconds > kSlowSeconds)
            qInfo("%.1f s, seed %u of %s: %s", seconds, seed, original.c_str(),
                  prepared ? "read" : prepared.error().message.c_str());
        if (prepared) {
            ++read;
            return;
        }
        const std::string &message = prepared.error().message;
        ++m_sentences[message.starts_with(path) ? message.substr(path.size() + 1) : message];
        if (!isSentence(message, path)) {
            ++wordless;
            qInfo("no sentence, seed %u of %s: %s", seed, original.c_str(), message.c_str());
        }
        if (message.find("stopped working") != std::string::npos) {
            ++tally.crashed;
            qInfo("the decoder itself gave up, seed %u of %s", seed, original.c_str());
        }
    }

    void print() const
    {
        qInfo("kind        read  refused  of them by a crash  slowest");
        for (const auto &[kind, tally] : m_kinds)
            qInfo("%-8s  %6zu  %7zu  %18zu  %5.1f s", qPrintable(kind), tally.read, tally.refused,
                  tally.crashed, tally.slowest);
        for (const auto &[sentence, times] : m_sentences)
            qInfo("%5d times: FILE %s", times, sentence.c_str());
    }

    std::size_t read = 0, wordless = 0;

private:
    static constexpr double kSlowSeconds = 5;

    std::mutex m_mutex;
    std::map<QString, Tally> m_kinds;       // by the ending of the original's name
    std::map<std::string, int> m_sentences; // after the file's name
};

/// Runs `count` mutants of every file. PERILUNE_MUTANTS sets another number and PERILUNE_SEED other mutants;
/// see packaging/ci/mutants.
void HostileFilesTest::mutantsAreReadOrRefusedInWords()
{
    std::vector<std::string> files = goldenFiles();
    QCOMPARE(files.size(), std::size_t(83));
    for (std::string &file : madeFiles(m_folder))
        files.push_back(std::move(file));
    const int wanted = qEnvironmentVariableIntValue("PERILUNE_MUTANTS");
    const std::size_t jobs = files.size() * std::size_t(wanted > 0 ? wanted : 3);
    const auto firstSeed = unsigned(qEnvironmentVariableIntValue("PERILUNE_SEED"));
    std::atomic<std::size_t> next = 0;
    Findings findings;
    const auto work = [&](int worker) {
        for (std::size_t job = next++; job < jobs; job = next++) {
            const std::string &original = files[job % files.size()];
            const unsigned seed = firstSeed + unsigned(job);
            const std::string path =
                write(QStringLiteral("mutant%1").arg(worker), mutant(test::readBytes(original), seed));
            PrepareOptions options;
            options.maxPatches = 20000;
            QElapsedTimer time;
            time.start();
            const auto prepared = prepare(path, {}, options);
            findings.add(original, seed, path, prepared, double(time.elapsed()) / 1000);
        }
    };
    {
        std::jthread other(work, 1);
        work(0);
    }

    qInfo("%zu mutants of %zu files: %zu read, %zu refused", jobs, files.size(), findings.read,
          jobs - findings.read);
    findings.print();
    QCOMPARE(findings.wordless, std::size_t(0));
    QVERIFY(findings.read > 0 && findings.read < jobs);
}

void HostileFilesTest::cutOffPicturesAreRefused_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"noise100x75.png", "q95_444.jpg", "prog_422.jpg", "lossless.webp", "lossy.webp",
                             "rle.bmp", "lzw.tiff", "../kinds/alpha.tif", "../kinds/cmyk.tif", "trans.gif",
                             "../modern/plain.avif", "../modern/plain.heic", "../modern/plain.jxl"})
        QTest::newRow(file) << file;
}

void HostileFilesTest::cutOffPicturesAreRefused()
{
    QFETCH(QString, file);
    const QByteArray whole = test::readBytes(test::mediaData("pictures/" + file.toStdString()));
    for (const double part : {0.1, 0.5, 0.9}) {
        const auto prepared =
            prepare(write("cut", whole.left(qsizetype(double(whole.size()) * part))), {}, {});
        QVERIFY2(!prepared, qPrintable(QString::number(part)));
        QCOMPARE(prepared.error().code, ErrorCode::Corrupt);
        QVERIFY2(prepared.error().message.find("stopped working") == std::string::npos,
                 prepared.error().message.c_str());
    }
}

/// Where a kind of file has its sides, and how it writes them.
struct Sides {
    const char *file;
    QByteArray before; ///< the bytes that they come after; none: `skip` counts from the beginning
    int skip;
    QByteArray huge, nothing; ///< about 30,000 x 30,000, and one of them 0
    QSize really{};           ///< where other bytes say what it really is, and these do no harm
};

static QByteArray hex(const char *digits)
{
    return QByteArray::fromHex(digits);
}

static std::vector<std::pair<const char *, Sides>> sidesByKind()
{
    const QByteArray wide = hex("00007530"), none = hex("00000000");
    const QByteArray height = hex("010103000100000030750000"); // of a TIFF: the tag after its width
    return {
        {"PNG",    {"pictures/grad56x84.png", {}, 16, wide + wide, none + wide}                              },
        {"GIF",    {"pictures/trans.gif", {}, 6, hex("30753075"), {}}                                        },
        {"BMP",    {"pictures/rle.bmp", {}, 18, hex("3075000030750000"), hex("3075000000000000")}            },
        {"JPEG",   {"pictures/q95_444.jpg", hex("ffc0001108"), 0, hex("75307530"), hex("75300000")}          },
        {"WebP",   {"pictures/lossy.webp", hex("9d012a"), 0, hex("ff3fff3f"), hex("0000ff3f")}               },
        {"TIFF",   {"pictures/lzw.tiff", hex("0001030001000000"), 0, hex("30750000") + height, none + height}},
        {"AVIF",   {"modern/plain.avif", "ispe", 4, wide + wide, none + wide}                                },
        {"HEIC",   {"modern/plain.heic", "ispe", 4, wide + wide, none + wide, {72, 48}}                      },
        {"a clip", {"", "W", 0, "15000 H15000 ", "0 H30000     "}                                            },
    };
}

void HostileFilesTest::bombsAreRefusedBeforeTheyAreDecoded_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("nothing");
    QTest::addColumn<QSize>("really");
    for (const auto &[kind, sides] : sidesByKind()) {
        const QByteArray whole =
            *sides.file ? test::readBytes(test::mediaData(sides.file))
                        : "YUV4MPEG2 W0000000000000 F25:1 Ip C420\nFRAME\n" + QByteArray(5000, 'x');
        const qsizetype found = sides.before.isEmpty() ? 0 : whole.indexOf(sides.before);
        if (found < 0)
            qFatal("%s has no sides where they are looked for", sides.file);
        const qsizetype at = found + sides.before.size() + sides.skip;
        for (const bool nothing : {false, true}) {
            if (nothing && sides.nothing.isEmpty())
                continue;
            const QByteArray &others = nothing ? sides.nothing : sides.huge;
            QTest::addRow("%s, %s", kind, nothing ? "nothing" : "huge")
                << QByteArray(whole).replace(at, others.size(), others) << nothing << sides.really;
        }
    }
}

void HostileFilesTest::bombsAreRefusedBeforeTheyAreDecoded()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, nothing);
    QFETCH(QSize, really);
    const std::string path = write("bomb", bytes);
    QElapsedTimer time;
    time.start();

    const auto prepared = prepare(path, {}, {});

    QVERIFY2(time.elapsed() < 10'000, qPrintable(QString::number(time.elapsed())));
    if (!really.isEmpty()) {
        QVERIFY(prepared);
        QCOMPARE(QSize(int(prepared->width), int(prepared->height)), really);
        return;
    }
    QVERIFY(!prepared);
    const QString sentence = QString::fromStdString(prepared.error().message);
    QVERIFY2(isSentence(prepared.error().message, path), qPrintable(sentence));
    QVERIFY2(!sentence.contains("stopped working") && !sentence.contains("memory"), qPrintable(sentence));
    if (!nothing) {
        QCOMPARE(prepared.error().code, ErrorCode::InvalidInput);
        QVERIFY2(sentence.contains("more than the limit of 210 million"), qPrintable(sentence));
    }
}

/// They are refused though the pixels are few.
void HostileFilesTest::longSidesAreSaidAsSuch()
{
    QByteArray bytes = test::readBytes(test::mediaData("pictures/grad56x84.png"));
    bytes.replace(16, 8, hex("001e848000000014"));

    const auto prepared = prepare(write("long.png", bytes), {}, {});

    QVERIFY(!prepared);
    QVERIFY2(
        prepared.error().message.ends_with("is 2000000 x 20 pixels, but no side may have more than 1048576"),
        prepared.error().message.c_str());
}

void HostileFilesTest::cutOffClipsGiveWhatIsThere()
{
    const QByteArray whole = test::readBytes(test::mediaData("clips/vp9_25fps.webm"));

    const auto prepared = prepare(write("cut.webm", whole.left(whole.size() / 2)), {}, {});

    QVERIFY(prepared.has_value());
    QCOMPARE(prepared->kind, VisionPatches::Kind::Video);
    QVERIFY(prepared->durationSeconds > 0.3 && prepared->durationSeconds < 2);
    QCOMPARE(prepared->notes.size(), std::size_t(1));
    QVERIFY2(prepared->notes[0].starts_with("the file is cut off after "), prepared->notes[0].c_str());
}

QTEST_GUILESS_MAIN(HostileFilesTest)
#include "hostile_files_test.moc"
