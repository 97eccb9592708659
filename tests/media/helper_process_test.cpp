// What happens where the helper crashes, hangs, ends or lies: one sentence, and nothing else.
#include "media/helper_process.h"
#include "media/prepare.h"
#include "media/thumbnail.h"

#include "tests/media/media_golden.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace perilune;

class HelperProcessTest : public QObject {
    Q_OBJECT

private slots:
    void misbehaviourIsOneSentence_data();
    void misbehaviourIsOneSentence();
    void patienceIsWithWork_data();
    void patienceIsWithWork();
    void stopEndsAHangingHelperAtOnce();
    void stopEndsARealJobAtOnce();
    void nothingIsLeftBehind();
    void aMissingHelperIsSaid();
    void whatIsNoFileIsRefusedInWords();
    void oddNamesAreShownSafely();

private:
    std::string badHelper(const QString &how)
    {
        const std::string link = m_folder.filePath("bad_helper_" + how).toStdString();
        if (!std::filesystem::exists(std::filesystem::symlink_status(link)))
            std::filesystem::create_symlink(BAD_HELPER, link);
        return link;
    }

    QTemporaryDir m_folder;
    const std::string m_picture = test::mediaData("pictures/grad56x84.png");
};

void HelperProcessTest::misbehaviourIsOneSentence_data()
{
    QTest::addColumn<QString>("sentence");
    for (const char *how : {"crashes", "leaves", "dies"})
        QTest::newRow(how) << "could not be read: the decoder stopped working on it";
    QTest::newRow("spins") << "could not be read: decoding it takes too long";
    for (const char *how :
         {"lengthy", "gibberish", "enormous", "unasked", "overfull", "halfrows", "rewrites", "otherframes"})
        QTest::newRow(how) << "could not be read: the decoder's answer makes no sense";
}

void HelperProcessTest::misbehaviourIsOneSentence()
{
    QFETCH(QString, sentence);
    PrepareOptions options;
    options.helperPath = badHelper(QTest::currentDataTag());

    const auto prepared = prepare(m_picture, {}, options);

    QVERIFY(!prepared);
    QCOMPARE(prepared.error().code, ErrorCode::Corrupt);
    QCOMPARE(QString::fromStdString(prepared.error().message),
             QString::fromStdString(m_picture) + " " + sentence);
}

/// A busy machine is no fault of the file: what counts is how much the helper has worked.
void HelperProcessTest::patienceIsWithWork_data()
{
    QTest::addColumn<QString>("sentence");
    QTest::newRow("busy") << "could not be read: decoding it takes too long";
    QTest::newRow("hangs") << "could not be read: the decoder gave no sign for 1 seconds";
    QTest::newRow("slow") << "";
}

void HelperProcessTest::patienceIsWithWork()
{
    QFETCH(QString, sentence);
    const int file = open(m_picture.c_str(), O_RDONLY | O_CLOEXEC);
    QVERIFY(file >= 0);
    const auto helper =
        HelperProcess::start(badHelper(QTest::currentDataTag()), file, "it", std::chrono::seconds(1));
    close(file);
    QVERIFY(helper);
    QVERIFY((*helper)->send(protocol::Type::Request, pack(protocol::Request{})));

    const auto message = (*helper)->receive({});

    QCOMPARE(message ? QString() : QString::fromStdString(message.error().message).mid(3), sentence);
    if (message)
        QCOMPARE(message->type, protocol::Type::FramesDone);
}

void HelperProcessTest::stopEndsAHangingHelperAtOnce()
{
    PrepareOptions options;
    options.helperPath = badHelper("hangs");
    std::stop_source source;
    QElapsedTimer sinceStop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        sinceStop.start();
        source.request_stop();
    });

    const auto prepared = prepare(m_picture, {}, options, {}, source.get_token());

    QVERIFY(!prepared);
    QCOMPARE(prepared.error().code, ErrorCode::Cancelled);
    QVERIFY2(sinceStop.elapsed() < 300, qPrintable(QString::number(sinceStop.elapsed())));
}

void HelperProcessTest::stopEndsARealJobAtOnce()
{
    std::stop_source source;
    QElapsedTimer sinceStop;
    const auto stopAtFirstProgress = [&](double) {
        if (!source.stop_requested()) {
            sinceStop.start();
            source.request_stop();
        }
    };

    const auto prepared = prepare(test::mediaData("pictures/big6000x4000.png"), {}, {}, stopAtFirstProgress,
                                  source.get_token());

    QVERIFY(!prepared);
    QCOMPARE(prepared.error().code, ErrorCode::Cancelled);
    QVERIFY2(sinceStop.elapsed() < 300, qPrintable(QString::number(sinceStop.elapsed())));
}

static std::size_t openDescriptors()
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
        ++count;
    return count;
}

void HelperProcessTest::nothingIsLeftBehind()
{
    const std::size_t before = openDescriptors();

    QVERIFY(prepare(m_picture, {}, {}).has_value());
    QVERIFY(!prepare(test::mediaData("README.md"), {}, {}));
    PrepareOptions options;
    options.helperPath = badHelper("crashes");
    QVERIFY(!prepare(m_picture, {}, options));

    QCOMPARE(openDescriptors(), before);
    QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1); // no child is left
    QCOMPARE(errno, ECHILD);
}

void HelperProcessTest::aMissingHelperIsSaid()
{
    PrepareOptions options;
    options.helperPath = "/nowhere/perilune-media";

    const auto prepared = prepare(m_picture, {}, options);

    QVERIFY(!prepared);
    QVERIFY(prepared.error().message.find("/nowhere/perilune-media") != std::string::npos);
}

void HelperProcessTest::whatIsNoFileIsRefusedInWords()
{
    const auto messageFor = [](const std::string &path) {
        const auto prepared = prepare(path, {}, {});
        return prepared ? QString() : QString::fromStdString(prepared.error().message);
    };
    const std::string folder = m_folder.path().toStdString();

    QVERIFY(messageFor(folder).endsWith("is a folder, not a picture or clip"));
    QVERIFY(messageFor(folder + "/nothing").endsWith("nothing does not exist"));
    QVERIFY(messageFor("/dev/zero").endsWith("is a device, not a file"));

    QCOMPARE(mkfifo((folder + "/fifo").c_str(), 0600), 0);
    QVERIFY(messageFor(folder + "/fifo").endsWith("is a pipe, not a file"));

    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, (folder + "/socket").c_str(), sizeof address.sun_path - 1);
    QCOMPARE(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    QVERIFY(messageFor(folder + "/socket").endsWith("is a socket, not a file"));
    close(listener);

    QFile empty(m_folder.filePath("empty.png"));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    QVERIFY(messageFor(empty.fileName().toStdString()).endsWith("is empty"));

    QVERIFY(QFile::copy(QString::fromStdString(m_picture), m_folder.filePath("locked.png")));
    QVERIFY(QFile::setPermissions(m_folder.filePath("locked.png"), {}));
    if (getuid() != 0) // root may read everything
        QVERIFY(messageFor(folder + "/locked.png").endsWith("there is no permission"));
    QVERIFY(QFile::setPermissions(m_folder.filePath("locked.png"), QFile::ReadOwner | QFile::WriteOwner));

    QVERIFY(messageFor(test::mediaData("README.md"))
                .endsWith("is neither a picture nor a clip that can be read"));
}

void HelperProcessTest::oddNamesAreShownSafely()
{
    const std::string folder = m_folder.path().toStdString();
    for (const std::string name :
         {"-rf", "a\nb\x1b[31m.png", "\xff\xfe.png", "\xe5\x9b\xbe \xf0\x9f\x8c\x99.gif", "%s%n"}) {
        const std::string path = folder + "/" + name;
        std::filesystem::copy_file(m_picture, path);
        QVERIFY(prepare(path, {}, {}).has_value());
        QVERIFY(makeThumbnail(path, 10).has_value());
        std::filesystem::resize_file(path, 50);

        const auto broken = prepare(path, {}, {});

        QVERIFY(!broken);
        const QString message = QString::fromStdString(broken.error().message);
        QVERIFY(!message.contains(QChar(0x1b)) && !message.contains('\n'));
        QVERIFY(message.toStdString() == broken.error().message); // it is UTF-8
        std::filesystem::remove(path);                            // Qt can't, where the name is not
    }
}

QTEST_GUILESS_MAIN(HelperProcessTest)
#include "helper_process_test.moc"
