// The engine that people talk to, on the demo model: a turn, a next turn, a stop, a limit.
#include "engine/session/local_engine.h"

#include <chrono>
#include <cstdlib>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

constexpr const char *kClassifier = "DeepseekV3ForSequenceClassification";

struct Heard {
    std::string text, thinking;
    std::vector<ToolCallPart> calls;
    std::vector<Progress> progress;

    void operator()(const ReplyEvent &event)
    {
        if (const auto *delta = std::get_if<TextDelta>(&event))
            text += delta->text;
        else if (const auto *thought = std::get_if<ThinkingDelta>(&event))
            thinking += thought->text;
        else if (const auto *ready = std::get_if<ToolCallReady>(&event))
            calls.push_back(ready->call);
        else
            progress.push_back(std::get<Progress>(event));
    }
};

ChatRequest greedy(std::vector<Message> messages)
{
    ChatRequest request;
    request.messages = std::move(messages);
    request.thinking = false;
    request.sampling.temperature = 0;
    request.maxNewTokens = 64;
    return request;
}

} // namespace

class LocalEngineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void capabilitiesSayWhatTheModelTakes();
    void aTurnIsAnsweredAndTheNextOneReusesIt();
    void theSameSeedGivesTheSameReply();
    void theLimitEndsAReply();
    void aStopKeepsWhatWasSaid();
    void aCutAnswerGoesOn();
    void onlyAnAnswerCanBeContinued();
    void aPictureWithoutPatchesIsRefused();
    void aClipUnderAPicturesPlaceholderIsRefused();
    void aModelThatClassifiesIsRefused();
    void aPromptBeyondTheContextIsRefused();
    void loadingTellsHowFarItIs();
    void anUnknownTemplateIsNoted();

private:
    Result<ReplySummary> reply(const ChatRequest &request, Heard &heard, std::stop_token stop = {})
    {
        return m_engine->reply(request, [&](const ReplyEvent &event) { heard(event); }, stop);
    }

    std::unique_ptr<LocalEngine> m_engine;
    std::vector<Progress> m_opening;
};

void LocalEngineTest::initTestCase()
{
    OpenOptions options;
    options.folder = SOURCE_DIR "/packaging/demo-model/model";
    options.context = 1024;
    auto opened = LocalEngine::open(options, std::nullopt,
                                    [&](const Progress &progress) { m_opening.push_back(progress); }, {});
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    m_engine = *std::move(opened);
}

void LocalEngineTest::capabilitiesSayWhatTheModelTakes()
{
    const Capabilities capabilities = m_engine->capabilities();

    QVERIFY(capabilities.images && capabilities.video && capabilities.tools && capabilities.thinking);
    QVERIFY(capabilities.wantsPatches);
    QCOMPARE(capabilities.contextTokens, 1024u);
    QVERIFY(capabilities.visionConfigPath.ends_with("/preprocessor_config.json"));
    QVERIFY(!capabilities.deviceName.empty());
    QVERIFY(capabilities.notes.empty());
    QCOMPARE(capabilities.suggestedSampling.temperature, 0.0f); // generation_config.json of the demo model
}

void LocalEngineTest::aTurnIsAnsweredAndTheNextOneReusesIt()
{
    Heard first, second;
    std::vector<Message> messages{said(Role::User, "Hello!")};

    const auto one = reply(greedy(messages), first);
    QVERIFY2(one.has_value(), one ? "" : one.error().message.c_str());
    messages.push_back(said(Role::Assistant, first.text));
    messages.push_back(said(Role::User, "Who are you?"));
    const auto two = reply(greedy(messages), second);

    QVERIFY(one->finish == ReplySummary::Finish::Stop);
    QVERIFY(!first.text.empty() && first.text.find("<|") == std::string::npos);
    QCOMPARE(one->cachedTokens, 0u);
    QVERIFY(two.has_value() && !second.text.empty());
    QVERIFY2(two->cachedTokens >= one->promptTokens, "the first turn was evaluated again");
    QVERIFY(two->promptTokens > two->cachedTokens);
    qInfo("%s | %s", first.text.c_str(), second.text.c_str());
}

void LocalEngineTest::theSameSeedGivesTheSameReply()
{
    ChatRequest request = greedy({said(Role::User, "Hello!")});
    request.sampling.temperature = 1.5f;
    request.maxNewTokens = 24;
    Heard first, again;

    const auto one = reply(request, first);
    request.sampling.seed = one->seed;
    const auto two = reply(request, again);

    QCOMPARE(two->seed, one->seed);
    QCOMPARE(again.text, first.text);
}

void LocalEngineTest::theLimitEndsAReply()
{
    ChatRequest request = greedy({said(Role::User, "Hello!")});
    request.maxNewTokens = 2;
    Heard heard;

    const auto summary = reply(request, heard);

    QVERIFY(summary->finish == ReplySummary::Finish::Length);
    QCOMPARE(summary->newTokens, 2u);
}

void LocalEngineTest::aStopKeepsWhatWasSaid()
{
    ChatRequest request = greedy({said(Role::User, "Hello!")});
    request.sampling.temperature = 3; // rambles on
    request.sampling.seed = 1;
    request.maxNewTokens = 900;
    std::stop_source source;
    Heard heard;
    std::chrono::steady_clock::time_point stopped;

    const auto summary = m_engine->reply(
        request,
        [&](const ReplyEvent &event) {
            heard(event);
            if (!heard.text.empty() && !source.stop_requested()) {
                stopped = std::chrono::steady_clock::now();
                source.request_stop();
            }
        },
        source.get_token());
    const auto took = std::chrono::steady_clock::now() - stopped;

    QVERIFY(summary.has_value());
    QVERIFY(summary->finish == ReplySummary::Finish::Cancelled);
    QVERIFY(!heard.text.empty() && summary->newTokens > 0);
    // 300 ms are promised; a machine that is busy with other things is given more.
    double load[1] = {0};
    getloadavg(load, 1);
    const bool busy = load[0] > 1.5 * std::thread::hardware_concurrency();
    QVERIFY(took < std::chrono::milliseconds(busy ? 5000 : 300));
}

/// An answer that was cut after some tokens and continued is the answer that was never cut.
void LocalEngineTest::aCutAnswerGoesOn()
{
    ChatRequest request = greedy({said(Role::User, "Who are you?")});
    Heard whole;
    QVERIFY(reply(request, whole)->finish == ReplySummary::Finish::Stop);

    int continued = 0;
    for (const std::uint32_t tokens : {1u, 3u, 6u}) {
        Heard cut, rest;
        request = greedy({said(Role::User, "Who are you?")});
        request.maxNewTokens = tokens;
        QVERIFY(reply(request, cut)->finish == ReplySummary::Finish::Length);
        request.messages.push_back(said(Role::Assistant, cut.text));
        request.maxNewTokens = 64;
        request.continues = true;

        const auto summary = reply(request, rest);

        QVERIFY2(summary.has_value(), summary ? "" : summary.error().message.c_str());
        QCOMPARE(cut.text + rest.text, whole.text);
        QVERIFY(summary->finish == ReplySummary::Finish::Stop);
        ++continued;
    }
    QCOMPARE(continued, 3);
}

void LocalEngineTest::onlyAnAnswerCanBeContinued()
{
    ChatRequest request = greedy({said(Role::User, "Hello!")});
    request.continues = true;
    Heard heard;

    const auto summary = reply(request, heard);

    QVERIFY(!summary);
    QCOMPARE(summary.error().message, std::string("there is no answer that could be continued"));
}

void LocalEngineTest::aPictureWithoutPatchesIsRefused()
{
    Message message = said(Role::User, "What is this?");
    message.parts.insert(message.parts.begin(),
                         MediaPart{MediaPart::Kind::Image, "/tmp/cat.png", "cat.png", nullptr});
    Heard heard;

    const auto summary = reply(greedy({message}), heard);

    QVERIFY(!summary && summary.error().code == ErrorCode::InvalidInput);
    QVERIFY(summary.error().message.find("cat.png") != std::string::npos);
}

void LocalEngineTest::aClipUnderAPicturesPlaceholderIsRefused()
{
    auto clip = std::make_shared<VisionPatches>();
    clip->kind = VisionPatches::Kind::Video;
    clip->grids = {
        {1, 2, 2},
        {1, 2, 2}
    };
    clip->timestamps = {"00:00:00.000", "00:00:02.000"};
    clip->pixelValues.resize(std::size_t(2 * 4 * 3 * 14 * 14));
    Message message = said(Role::User, "What is this?");
    message.parts.insert(message.parts.begin(),
                         MediaPart{MediaPart::Kind::Image, "/tmp/cat.gif", "cat.gif", clip});
    Heard heard;

    const auto summary = reply(greedy({message}), heard);

    QVERIFY(!summary && summary.error().code == ErrorCode::InvalidInput);
}

void LocalEngineTest::aModelThatClassifiesIsRefused()
{
    QTemporaryDir folder;
    const QDir demo(SOURCE_DIR "/packaging/demo-model/model");
    for (const QString &name : demo.entryList(QDir::Files))
        QVERIFY(QFile::link(demo.filePath(name), folder.filePath(name)));
    QVERIFY(QFile::remove(folder.filePath("config.json")));
    QFile config(demo.filePath("config.json")), changed(folder.filePath("config.json"));
    QVERIFY(config.open(QIODevice::ReadOnly) && changed.open(QIODevice::WriteOnly));
    changed.write(config.readAll().replace("KimiK25ForConditionalGeneration", kClassifier));
    changed.close();
    OpenOptions options;
    options.folder = folder.path().toStdString();

    const auto opened = LocalEngine::open(options, ChatFamily::K25, [](const Progress &) {}, {});

    QVERIFY(!opened && opened.error().code == ErrorCode::Unsupported);
    QVERIFY2(opened.error().message.find("classes") != std::string::npos, opened.error().message.c_str());
}

void LocalEngineTest::aPromptBeyondTheContextIsRefused()
{
    std::string text;
    for (int i = 0; i < 1500; ++i)
        text += "word ";
    Heard heard;

    const auto summary = reply(greedy({said(Role::User, text)}), heard);

    QVERIFY(!summary && summary.error().code == ErrorCode::OutOfMemory);
    QVERIFY(summary.error().message.find("1024") != std::string::npos);
    QVERIFY(heard.text.empty());
}

void LocalEngineTest::loadingTellsHowFarItIs()
{
    using Stage = Progress::Stage;
    for (const Stage stage : {Stage::Loading, Stage::Compiling}) {
        std::uint64_t last = 0, total = 0;
        for (const Progress &progress : m_opening) {
            if (progress.stage != stage)
                continue;
            QVERIFY(progress.done >= last && progress.done <= progress.total);
            last = progress.done;
            total = progress.total;
        }
        QVERIFY(total > 0 && last == total);
    }
}

void LocalEngineTest::anUnknownTemplateIsNoted()
{
    // Links, but for the template.
    const QDir demo(SOURCE_DIR "/packaging/demo-model/model");
    const QTemporaryDir folder;
    for (const QString &name : demo.entryList(QDir::Files)) {
        if (name != "chat_template.jinja")
            QVERIFY(QFile::link(demo.filePath(name), folder.filePath(name)));
    }
    QFile file(folder.filePath("chat_template.jinja"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{{ messages }}") > 0);
    file.close();
    OpenOptions options;
    options.folder = folder.path().toStdString();
    options.context = 256;

    const auto opened = LocalEngine::open(options, std::nullopt, {}, {});

    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const std::vector<std::string> notes = (*opened)->capabilities().notes;
    QCOMPARE(notes.size(), std::size_t(1));
    QVERIFY2(notes[0].find("template that is not known") != std::string::npos, notes[0].c_str());
}

QTEST_GUILESS_MAIN(LocalEngineTest)
#include "local_engine_test.moc"
