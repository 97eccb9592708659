// Weights that another program cuts short while they are in use: the call ends with a sentence that names the
// file, and the process goes on.
#include "engine/session/opened_model.h"
#include "engine/session/session.h"
#include "tests/support/qtest_strings.h"

#include <filesystem>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
namespace fs = std::filesystem;

class ShrinkingFilesTest : public QObject {
    Q_OBJECT

private slots:
    void betweenTwoPrompts();
    void whileLoading_data();
    void whileLoading();

private:
    /// A copy of tiny-moonlight.
    static std::string copyIn(const QTemporaryDir &place)
    {
        const std::string source = TEST_DATA_DIR "/model/tiny-moonlight/",
                          folder = place.path().toStdString();
        for (const char *name : {"config.json", "model.safetensors"})
            fs::copy_file(source + name, folder + "/" + name);
        return folder;
    }
    static Prompt promptOf(std::uint32_t first)
    {
        Prompt prompt;
        for (std::uint32_t i = 0; i < 24; ++i)
            prompt.tokens.push_back(first + i * 7);
        return prompt;
    }
    static void isNamed(const Error &error)
    {
        QCOMPARE(error.code, ErrorCode::Corrupt);
        QVERIFY2(error.message.find("model.safetensors: the file ends at byte") != std::string::npos &&
                     error.message.find("within tensor model.") != std::string::npos,
                 error.message.c_str());
    }
};

void ShrinkingFilesTest::betweenTwoPrompts()
{
    const QTemporaryDir place;
    const std::string folder = copyIn(place);
    auto opened =
        openModel({.folder = folder, .device = {}, .cacheFolder = {}, .context = 64, .quantize = {}}, {}, {});
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    Session session(*opened->device, *opened->decoder, nullptr, opened->model->config().decoder.hiddenSize);
    QVERIFY(session.sync(promptOf(3), {}, {}).has_value());

    fs::resize_file(folder + "/model.safetensors", 4096);
    const auto cut = session.sync(promptOf(4), {}, {});
    const Status appended = session.append(9, {});
    fs::copy_file(TEST_DATA_DIR "/model/tiny-moonlight/model.safetensors", folder + "/again");
    // The same bytes in the same file: what was opened is good again.
    fs::copy_file(folder + "/again", folder + "/model.safetensors", fs::copy_options::overwrite_existing);
    const auto mended = session.sync(promptOf(4), {}, {});

    QVERIFY(!cut && !appended);
    isNamed(cut.error());
    isNamed(appended.error());
    QVERIFY2(mended.has_value(), mended ? "" : mended.error().message.c_str());
}

void ShrinkingFilesTest::whileLoading_data()
{
    QTest::addColumn<QString>("quantize");
    QTest::newRow("as stored") << "";
    QTest::newRow("by the threads that quantize") << "int8";
}

void ShrinkingFilesTest::whileLoading()
{
    QFETCH(QString, quantize);
    const QTemporaryDir place;
    const std::string folder = copyIn(place);
    bool cut = false;
    const auto progress = [&](const Progress &now) {
        if (now.stage == Progress::Stage::Loading && !std::exchange(cut, true))
            fs::resize_file(folder + "/model.safetensors", 4096);
    };

    const auto opened = openModel({.folder = folder,
                                   .device = {},
                                   .cacheFolder = {},
                                   .context = 64,
                                   .quantize = *parseQuantizeOptions(quantize.toStdString())},
                                  progress, {});

    QVERIFY(cut && !opened);
    isNamed(opened.error());
}

QTEST_GUILESS_MAIN(ShrinkingFilesTest)
#include "shrinking_files_test.moc"
