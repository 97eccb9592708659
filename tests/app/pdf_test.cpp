// What a reader of the PDF finds in it, as poppler's programs see it.
#include "app/pdf/pdf.h"
#include "tests/support/mixed_chat.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;

namespace {

struct Made {
    PdfReport report;
    QString file;
};

/// The output of one of poppler's programs; empty where it fails.
QByteArray run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        return {};
    return process.readAllStandardOutput();
}

/// `text` without blanks, marks of direction, and the differences between forms of the same letter.
QString squeezed(QString text)
{
    static const QRegularExpression left("[\\s\\x{200e}\\x{200f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}]");
    return text.normalized(QString::NormalizationForm_KC).remove(left);
}

/// The words of Arabic, whose order on a line differs between readers; the rest.
void divide(const QString &text, QStringList &leftwards, QStringList &others)
{
    static const QRegularExpression run("[\\x{620}-\\x{64a}]+|[^\\s\\x{590}-\\x{8ff}]+");
    for (const QRegularExpressionMatch &match : run.globalMatch(text)) {
        const char16_t first = match.captured().at(0).unicode();
        (first >= 0x590 && first < 0x900 ? leftwards : others) += match.captured();
    }
}

/// What of a line `found` hasn't: the line where that is plain and goes one way, else a word of it, for a
/// table's cells and a line's directions may stand in another order. Empty where all is there.
QString missingOf(QString line, bool plain, const QString &found)
{
    static const QRegularExpression marks(
        "^[\\s>#|*\\-`$:]+|[*`~|#\\[\\]]|\\(https[^)]*\\)|^\\d+\\. |\\$\\$");
    if (line.startsWith("```") || line.startsWith("|:"))
        return {};
    if (!plain && !line.contains("return [") && !line.contains("def function"))
        line.replace("[x] done", "☑ done").remove(marks);
    QStringList leftwards;
    QStringList others;
    divide(line, leftwards, others);
    if (plain && leftwards.isEmpty() && !found.contains(squeezed(line)))
        return line;
    for (const QString &word : leftwards + others) {
        if (!found.contains(squeezed(word)))
            return word;
    }
    return {};
}

bool haveTools()
{
    return !run("pdftotext", {"-v"}).isNull() || QProcess::execute("pdftotext", {"-v"}) == 0;
}

} // namespace

class PdfTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyLineIsFound();
    void linksAndPagesAreThere();
    void fontsAreInside();
    void picturesKeepTheirShape();
    void lettersWithoutFontAreNamed();
    void stopEndsIt();
    void stopEndsALongMessage();
    void wideTablesGoOnBelow();
    void aFullDiskIsSaid();
    void oddTextsAreFine();

private:
    Made make(const ExportedChat &chat, const PictureOf &picture = {});

    QTemporaryDir m_folder;
};

void PdfTest::initTestCase()
{
    if (!haveTools())
        QSKIP("poppler-utils isn't installed; packaging/deps test does");
}

Made PdfTest::make(const ExportedChat &chat, const PictureOf &picture)
{
    Made made;
    made.file = m_folder.filePath(QString("%1.pdf").arg(QTest::currentTestFunction()));
    QFile file(made.file);
    if (!file.open(QIODevice::WriteOnly))
        return made;
    const Result<PdfReport> report =
        writePdf(chat, {picture, {}}, {[&file](std::string_view bytes) -> Status {
                     file.write(bytes.data(), qint64(bytes.size()));
                     return Done{};
                 }});
    if (report)
        made.report = *report;
    return made;
}

void PdfTest::everyLineIsFound()
{
    // PERILUNE_PDF_TURNS=400 makes it the 300 pages that a person looks at.
    const int turns = qEnvironmentVariableIsSet("PERILUNE_PDF_TURNS")
                          ? qEnvironmentVariableIntValue("PERILUNE_PDF_TURNS")
                          : 40;
    const StoredConversation conversation = test::mixedConversation(turns);
    QElapsedTimer timer;
    timer.start();

    const Made made = make(chosen(conversation, conversation.path, {}));

    qInfo("%d turns: %u pages, %lld bytes, %lld ms", turns, made.report.pages, QFile(made.file).size(),
          timer.elapsed());
    QVERIFY(QFile(made.file).size() < 5'000'000);
    // Without heads and feet, which would stand within a paragraph that goes over a page's end.
    const QString text = QString::fromUtf8(
        run("pdftotext", {"-x", "0", "-y", "50", "-W", "600", "-H", "740", made.file, "-"}));
    const QString found = squeezed(text);
    int lines = 0;
    for (const StoredMessage &message : conversation.path) {
        const bool plain = message.message.role != Role::Assistant;
        for (const Part &part : message.message.parts) {
            const auto *words = std::get_if<TextPart>(&part);
            if (!words)
                continue;
            for (const QString &line : QString::fromStdString(words->text).split('\n')) {
                const QString missing = missingOf(line, plain, found);
                QVERIFY2(missing.isEmpty(), qPrintable(missing + " of " + line));
                ++lines;
            }
        }
    }
    QVERIFY(lines > turns * 20);
    for (int i = 0; i < turns; ++i) {
        // Whole lines, wrapped or not, in each script.
        for (const QString &line :
             {QString(
                  "这是第%"
                  "1个中文段落，用来测试换行和字体。人工智能是计算机科学的一个分支，它企图了解智能的实质。"),
              QString("日本語のテキスト%1です。한국어 텍스트 %1"), QString("Emoji %1: 😀 🎉 ✅"),
              QString("<script>alert(%1)</script>"), QString("def function_%1(argument: int) -> list[int]:"),
              QString("\\int_0^1 x^%1 \\, dx"),
              QString("A paragraph %1 that is long enough to be wrapped at the end of the line, for it has "
                      "many words in it")})
            QVERIFY2(found.contains(squeezed(line.arg(i))), qPrintable(line.arg(i)));
    }
}

void PdfTest::linksAndPagesAreThere()
{
    const StoredConversation conversation = test::mixedConversation(6);

    const Made made = make(chosen(conversation, conversation.path, {}));

    const QByteArray info = run("pdfinfo", {made.file});
    QVERIFY2(info.contains("Pages:           " + QByteArray::number(made.report.pages)), info);
    QVERIFY2(info.contains("A4"), info);
    const QByteArray links = run("pdfinfo", {"-url", made.file});
    for (int i = 0; i < 6; ++i)
        QVERIFY2(links.contains("https://example.org/" + QByteArray::number(i)), links);
    const QByteArray second = run("pdftotext", {"-f", "2", "-l", "2", made.file, "-"});
    QVERIFY2(second.trimmed().endsWith("2"), second); // its number
    QVERIFY(second.contains("A mixed chat"));         // its header
}

void PdfTest::fontsAreInside()
{
    const StoredConversation conversation = test::mixedConversation(1);

    const Made made = make(chosen(conversation, conversation.path, {}));

    const QList<QByteArray> fonts = run("pdffonts", {made.file}).split('\n').mid(2);
    QVERIFY(fonts.size() > 3);
    for (const QByteArray &font : fonts) {
        if (!font.isEmpty())
            QVERIFY2(font.simplified().contains(" yes yes yes "), font); // embedded, a subset, with Unicode
    }
}

void PdfTest::picturesKeepTheirShape()
{
    StoredConversation conversation = test::mixedConversation(1);
    MediaPart media;
    media.name = "sky.png";
    conversation.path[0].message.parts.emplace_back(media);
    QFile jpeg(TEST_DATA_DIR "/demo/000_0.jpg");
    QVERIFY(jpeg.open(QIODevice::ReadOnly));
    const std::string bytes = jpeg.readAll().toStdString();
    const QImage size = QImage::fromData(QByteArray::fromStdString(bytes));

    const Made made = make(chosen(conversation, conversation.path, {}), [&](const MediaPart &) {
        return Result<EmbeddedPicture>(EmbeddedPicture{static_cast<std::uint32_t>(size.width()),
                                                       static_cast<std::uint32_t>(size.height()), bytes});
    });

    const QByteArray list = run("pdfimages", {"-list", made.file});
    QVERIFY2(list.contains("jpeg"), list);
    QVERIFY(run("pdftotext", {made.file, "-"}).contains("sky.png"));
    const Made without = make(chosen(conversation, conversation.path, {}), [](const MediaPart &) {
        return Result<EmbeddedPicture>(Error{ErrorCode::NotFound, "its file is missing"});
    });
    QVERIFY(run("pdftotext", {without.file, "-"}).contains("sky.png (its file is missing)"));
}

void PdfTest::lettersWithoutFontAreNamed()
{
    StoredConversation conversation = test::mixedConversation(1);
    // A letter that Unicode has no character for, so that no font can have it.
    std::get<TextPart>(conversation.path[0].message.parts[0]).text = "odd \xf3\xb0\x80\x80 letter";

    const Made made = make(chosen(conversation, conversation.path, {}));

    QCOMPARE(made.report.scriptsWithoutFont.size(), std::size_t(1));
    QVERIFY(run("pdftotext", {made.file, "-"}).contains("No font on the computer"));
}

void PdfTest::stopEndsIt()
{
    const StoredConversation conversation = test::mixedConversation(20);
    std::size_t last = 0;

    const Result<PdfReport> report = writePdf(chosen(conversation, conversation.path, {}), {},
                                              {[](std::string_view) { return Status(Done{}); },
                                               [&last](std::size_t done, std::size_t all) -> Status {
                                                   last = done;
                                                   if (done * 2 < all)
                                                       return Done{};
                                                   return Error{ErrorCode::Cancelled, "stopped"};
                                               }});

    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::Cancelled);
    QVERIFY(last < 30);
}

namespace {

/// A table of some rows, whose cells are "r1c5".
std::string tableOf(int columns, int rows)
{
    std::string table;
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column < columns; ++column)
            table += "| r" + std::to_string(row) + "c" + std::to_string(column) + " ";
        table += "|\n";
        if (row == 0) {
            for (int column = 0; column < columns; ++column)
                table += "|---";
            table += "|\n";
        }
    }
    return table;
}

} // namespace

void PdfTest::stopEndsALongMessage()
{
    StoredConversation conversation = test::mixedConversation(1);
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += tableOf(60, 60) + "\n";
    std::get<TextPart>(conversation.path.back().message.parts.back()).text = text;
    QElapsedTimer begun, stopped;
    begun.start();

    const Result<PdfReport> report = writePdf(chosen(conversation, conversation.path, {}), {},
                                              {[](std::string_view) { return Status(Done{}); },
                                               [&](std::size_t done, std::size_t) -> Status {
                                                   if (done == 0 || begun.elapsed() < 1000)
                                                       return Done{};
                                                   if (!stopped.isValid())
                                                       stopped.start();
                                                   return Error{ErrorCode::Cancelled, "stopped"};
                                               }});

    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::Cancelled);
    QVERIFY2(stopped.elapsed() < 3000, qPrintable(QString::number(stopped.elapsed())));
}

void PdfTest::wideTablesGoOnBelow()
{
    StoredConversation conversation = test::mixedConversation(1);
    std::get<TextPart>(conversation.path.back().message.parts.back()).text = tableOf(300, 2);

    const Made made = make(chosen(conversation, conversation.path, {}));

    const QByteArray text = run("pdftotext", {"-layout", made.file, "-"});
    QVERIFY(made.report.pages > 0 && made.report.pages < 12);
    for (int row = 0; row <= 2; ++row) {
        for (int column = 0; column < 300; ++column) {
            const QByteArray cell = "r" + QByteArray::number(row) + "c" + QByteArray::number(column);
            QVERIFY2(text.contains(cell + " ") || text.contains(cell + "\n"), cell); // on one line
        }
    }
}

void PdfTest::aFullDiskIsSaid()
{
    const StoredConversation conversation = test::mixedConversation(3);
    std::size_t room = 2000;

    const Result<PdfReport> report =
        writePdf(chosen(conversation, conversation.path, {}), {}, {[&room](std::string_view bytes) -> Status {
                     if (bytes.size() > room)
                         return Error{ErrorCode::NoSpace, "the disk is full"};
                     room -= bytes.size();
                     return Done{};
                 }});

    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::NoSpace);
}

void PdfTest::oddTextsAreFine()
{
    StoredConversation conversation = test::mixedConversation(1);
    std::string wide = "| ";
    std::string line = "|";
    for (int i = 0; i < 40; ++i) {
        wide += "column " + std::to_string(i) + " | ";
        line += "---|";
    }
    const std::string longCell = "| a | b |\n|---|---|\n| " + std::string(9000, 'x') + " | b |";
    for (const std::string &text :
         {std::string(), std::string("\0\x1b[31m\xff\xfe", 7), wide + "\n" + line + "\n" + wide, longCell,
          std::string(60, '>') + " deep", std::string(200'000, 'w'),
          std::string("\xe2\x80\xae\xe2\x80\xab") + "turned",
          std::string("- \n- \n1. \n> \n```\n```\n||\n|-|\n||")}) {
        std::get<TextPart>(conversation.path.back().message.parts.back()).text = text;
        QVERIFY(make(chosen(conversation, conversation.path, {})).report.pages > 0);
    }
}

QTEST_GUILESS_MAIN(PdfTest)
#include "pdf_test.moc"
