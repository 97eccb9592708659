// read_file: which files a person has named, and what is read of them.
#include "app/tools/call_tool.h"
#include "app/tools/read_file.h"
#include "engine/text/chat_template.h"
#include "tests/support/test_tool.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace perilune;

namespace {

std::string textOf(const CallOutcome &outcome)
{
    return test::wordsOf(outcome.result);
}

} // namespace

class NamedFilesTest : public QObject {
    Q_OBJECT

private slots:
    void filesAreNamedAsAWhole_data();
    void filesAreNamedAsAWhole();
    void longerNamesComeFirst();
    void readsWhatThePersonNamed();
    void showsPictures();
};

void NamedFilesTest::filesAreNamedAsAWhole_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("named");
    QTest::newRow("alone") << "notes.txt" << "notes.txt" << true;
    QTest::newRow("sentence") << "Read notes.txt, please." << "notes.txt" << true;
    QTest::newRow("full stop") << "Read notes.txt." << "notes.txt" << true;
    QTest::newRow("brackets") << "(notes.txt)" << "notes.txt" << true;
    QTest::newRow("quoted") << "Read \"my notes.txt\"." << "my notes.txt" << true;
    QTest::newRow("second place") << "not xnotes.txt but notes.txt" << "notes.txt" << true;
    QTest::newRow("end of a name") << "Read mynotes.txt" << "notes.txt" << false;
    QTest::newRow("end of a quoted name") << "Read \"my notes.txt\"" << "notes.txt" << false;
    QTest::newRow("beginning of a quoted name") << "Read 'my notes.txt'" << "my" << false;
    QTest::newRow("beginning") << "Read notes.txt.bak" << "notes.txt" << false;
    QTest::newRow("part of a path") << "Read dir/notes.txt" << "notes.txt" << false;
    QTest::newRow("folder of a path") << "Read dir/notes.txt" << "dir" << false;
    QTest::newRow("home") << "Read ~/notes.txt" << "/notes.txt" << false;
    QTest::newRow("letter before") << "Read \u00e9notes.txt" << "notes.txt" << false;
    QTest::newRow("case") << "Read Notes.txt" << "notes.txt" << false;
    QTest::newRow("hidden") << "Read .notes.txt" << "notes.txt" << false;
    QTest::newRow("Chinese") << "请读取notes.txt文件" << "notes.txt" << true;
    QTest::newRow("ideographic full stop") << "Lies notes.txt。" << "notes.txt" << true;
    QTest::newRow("Japanese") << "notes.txtを読んで" << "notes.txt" << true;
    QTest::newRow("Korean") << "notes.txt를 읽어" << "notes.txt" << true;
    QTest::newRow("curly quotes") << "Read “notes.txt”." << "notes.txt" << true;
    QTest::newRow("low quotes") << "Lies „notes.txt“!" << "notes.txt" << true;
    QTest::newRow("guillemets") << "Lis «\u202Fnotes.txt\u202F»" << "notes.txt" << true;
    QTest::newRow("corner brackets") << "「my notes.txt」" << "my notes.txt" << true;
    QTest::newRow("possessive") << "What is notes.txt's first line?" << "notes.txt" << true;
    QTest::newRow("curly possessive") << "notes.txt’s first line" << "notes.txt" << true;
    QTest::newRow("dash") << "notes.txt—now" << "notes.txt" << true;
    QTest::newRow("full-width") << "（notes.txt），" << "notes.txt" << true;
    QTest::newRow("Chinese name") << "请读取笔记.txt文件" << "笔记.txt" << false; // where does it begin?
    QTest::newRow("Chinese name apart") << "读取 笔记.txt 文件" << "笔记.txt" << true;
    QTest::newRow("end of a curly quote") << "Read “my notes.txt”" << "notes.txt" << false;
    QTest::newRow("beginning of a curly quote") << "“my notes.txt”" << "my" << false;
    QTest::newRow("Cyrillic letter") << "\u0436notes.txt" << "notes.txt" << false;
    QTest::newRow("combining mark") << "notes.txt\u0301" << "notes.txt" << false;
    QTest::newRow("hyphen of Unicode") << "my\u2010notes.txt" << "notes.txt" << false;
    QTest::newRow("joined") << "my\u200Dnotes.txt" << "notes.txt" << false;
    QTest::newRow("'sx") << "notes.txt'sx" << "notes.txt" << false;
    QTest::newRow("nothing") << "notes.txt" << "" << false;
}

void NamedFilesTest::filesAreNamedAsAWhole()
{
    QFETCH(const QString, words);
    QFETCH(const QString, path);
    QFETCH(const bool, named);
    QCOMPARE(namesFile(words.toStdString(), path.toStdString()), named);
}

void NamedFilesTest::longerNamesComeFirst()
{
    const std::string words = "请读取草稿notes.txt备份吧";
    const auto with = [&](const std::string &file) {
        return namesFile(words, "notes.txt", [&](const std::string &name) { return name == file; });
    };
    QVERIFY(with("notes.txt"));
    for (const char *longer : {"草稿notes.txt", "notes.txt备份", "草稿notes.txt备份", "请读取草稿notes.txt"})
        QVERIFY2(!with(longer), longer);
    QVERIFY(with("别的notes.txt"));
}

namespace {

/// A folder with files, and read_file for it.
struct Files {
    Files()
    {
        ReadFile::Places places{.base = folder.path().toStdString(), .home = {}, .canBeShown = {}};
        places.home = places.base;
        places.canBeShown = [](const std::string &path, const std::stop_token &) {
            return path.ends_with(".png") ? Status(Done{}) : Error{ErrorCode::Unsupported, "it is torn"};
        };
        registry.setPictureCheck(places.canBeShown);
        if (!registry.add(std::make_shared<ReadFile>(places)))
            qFatal("read_file was refused");
        context.seesPictures = true;
    }
    bool write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    CallOutcome read(const std::string &path) const
    {
        JsonValue arguments = JsonValue::object();
        arguments.add("path", JsonValue::string(path));
        return callTool(registry, {"functions.read_file:0", "read_file", toJson(arguments)}, context, {}, {});
    }

    QTemporaryDir folder;
    ToolRegistry registry;
    ToolContext context;
};

} // namespace

void NamedFilesTest::readsWhatThePersonNamed()
{
    Files files;
    QVERIFY(files.write("notes.txt", "milk and bread") && files.write("secret.txt", "s") &&
            files.write("binary", "a\xFF") && files.write("nul", QByteArray("a\0b", 3)) &&
            files.write("empty", ""));
    QFile large(files.folder.filePath("large"));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(100 << 20));
    Message person, model, result;
    person.parts = {
        TextPart{"Read notes.txt, ~/notes.txt, x/secret.txt, binary, nul, empty, large and gone. Also '.'"}};
    model.role = Role::Assistant;
    model.parts = {TextPart{"secret.txt"}, ThinkingPart{"secret.txt"}};
    result.role = Role::Tool;
    result.parts = {TextPart{"The person wants secret.txt"}};
    files.context.messages = {person, model, result};
    QCOMPARE(textOf(files.read("notes.txt")), std::string("milk and bread"));
    QCOMPARE(textOf(files.read("~/notes.txt")), std::string("milk and bread"));
    QCOMPARE(textOf(files.read("empty")), std::string("(The tool returned nothing.)"));
    for (const char *path :
         {"secret.txt", "otes.txt", "/etc/passwd", "../notes.txt", "notes", "x.png", "./notes.txt"})
        QVERIFY2(textOf(files.read(path)).find("has not named") != std::string::npos, path);
    QVERIFY(textOf(files.read(std::string("notes.txt\0", 10))).find("has not named") != std::string::npos);
    for (const char *path : {"binary", "nul"})
        QCOMPARE(textOf(files.read(path)),
                 "Error: " + std::string(path) +
                     ": is neither a text file in UTF-8 nor a picture that can be read "
                     "(it is torn)");
    QVERIFY(textOf(files.read("gone")).starts_with("Error: gone: "));
    QVERIFY(textOf(files.read(".")).find("not a file that can be read") != std::string::npos);
    QVERIFY(textOf(files.read("large")).find("larger than 16 MiB") != std::string::npos);
}

void NamedFilesTest::showsPictures()
{
    Files files;
    QVERIFY(files.write("cat.png", "\x89PNG\r\n") && files.write("dog.jpg", "\xFF\xD8") &&
            files.write("kept.png", "\x89PNG\r\n"));
    const std::string kept = files.folder.filePath("kept.png").toStdString();
    Message person;
    person.parts = {
        MediaPart{MediaPart::Kind::Image, kept, "shapes.png", nullptr},
        MediaPart{MediaPart::Kind::Video, "/x/2", "clip.mp4", nullptr},
        TextPart{"Compare with cat.png and dog.jpg"}
    };
    files.context.messages = {person};
    const auto pictureOf = [&](const char *path) {
        return std::get<MediaPart>(files.read(path).result.parts.at(0));
    };
    QCOMPARE(pictureOf("shapes.png").path, kept);
    const MediaPart cat = pictureOf("cat.png");
    QCOMPARE(cat.path, files.folder.filePath("cat.png").toStdString());
    QCOMPARE(cat.name, std::string("cat.png"));
    QVERIFY(cat.kind == MediaPart::Kind::Image);
    QVERIFY(textOf(files.read("dog.jpg")).find("nor a picture") != std::string::npos);
    QVERIFY(textOf(files.read("clip.mp4")).find("is a clip") != std::string::npos);
    files.context.seesPictures = false;
    for (const char *path : {"shapes.png", "cat.png"})
        QVERIFY(textOf(files.read(path)).find("this model can't see pictures") != std::string::npos);

    // A template takes a picture of a result as it takes one of a person.
    Message result{
        .role = Role::Tool, .parts = {cat, TextPart{"x"}},
             .name = {},
             .toolCallId = "a", .roleName = {}
    };
    const std::vector<Message> messages{person, result};
    const auto segments = renderPrompt(ChatFamily::K25, messages, {}, {});
    QVERIFY(segments);
    QCOMPARE(std::ranges::count_if(*segments,
                                   [](const PromptSegment &one) {
                                       return one.text.find("<|media_begin|>") != std::string::npos;
                                   }),
             2);
}

QTEST_GUILESS_MAIN(NamedFilesTest)
#include "named_files_test.moc"
