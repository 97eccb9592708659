// Memory that runs out and a device that is lost in the middle of a turn: it ends with a sentence, and the
// next one answers as if nothing had been.
#include "engine/session/local_engine.h"
#include "tests/support/faulty_device.h"
#include "tests/support/qtest_strings.h"

#include <QTest>

using namespace perilune;

namespace {

constexpr const char *kDemo = SOURCE_DIR "/packaging/demo-model/model";

ChatRequest asking(const std::string &text, bool withPicture)
{
    Message message;
    if (withPicture) {
        auto picture = std::make_shared<VisionPatches>();
        picture->grids = {
            {1, 4, 4}
        };
        picture->pixelValues.resize(std::size_t(4 * 4 * 3 * 14 * 14), 0.25f);
        picture->contentId = "grey";
        message.parts.emplace_back(MediaPart{MediaPart::Kind::Image, "grey.png", "grey.png", picture});
    }
    message.parts.emplace_back(TextPart{text});
    ChatRequest request;
    request.messages = {message};
    request.thinking = false;
    request.sampling.temperature = 0;
    request.maxNewTokens = 32;
    return request;
}

/// The reply's text, or the failure's sentence after its code.
struct Turn {
    std::string text;
    std::optional<Error> error;
};

Turn ask(LocalEngine &engine, const ChatRequest &request)
{
    Turn turn;
    const auto sink = [&](const ReplyEvent &event) {
        if (const auto *delta = std::get_if<TextDelta>(&event))
            turn.text += delta->text;
    };
    const auto summary = engine.reply(request, sink, {});
    if (!summary)
        turn.error = summary.error();
    return turn;
}

} // namespace

class FailuresTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aFailureEndsTheTurnAndTheNextOneWorks_data();
    void aFailureEndsTheTurnAndTheNextOneWorks();
    void aLostDeviceThatStaysAwayIsToldEachTurn();

private:
    std::shared_ptr<test::Faults> m_faults = std::make_shared<test::Faults>();
    std::unique_ptr<LocalEngine> m_engine;
    bool m_away = false;
};

void FailuresTest::initTestCase()
{
    OpenOptions options;
    options.folder = kDemo;
    options.context = 512;
    options.openDevice = [this](const DeviceOptions &device) -> Result<std::unique_ptr<Device>> {
        if (m_away)
            return Error{ErrorCode::NoDevice, "there is no device"};
        return test::FaultyDevice::open(device, m_faults);
    };
    auto opened = LocalEngine::open(options, std::nullopt, {}, {});
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    m_engine = *std::move(opened);
}

void FailuresTest::aFailureEndsTheTurnAndTheNextOneWorks_data()
{
    QTest::addColumn<bool>("lost");
    QTest::addColumn<bool>("picture");
    QTest::addColumn<int>("finishes");
    QTest::addColumn<QString>("allocation");
    for (const bool lost : {false, true}) {
        const char *what = lost ? "device lost" : "out of memory";
        QTest::addRow("%s while reading the prompt", what) << lost << false << 0 << "";
        QTest::addRow("%s while answering", what) << lost << false << 3 << "";
        QTest::addRow("%s while looking at a picture", what) << lost << true << 0 << "";
    }
    QTest::newRow("no memory for a picture's features") << false << true << 0 << "the features of pictures";
}

void FailuresTest::aFailureEndsTheTurnAndTheNextOneWorks()
{
    QFETCH(bool, lost);
    QFETCH(bool, picture);
    QFETCH(int, finishes);
    QFETCH(QString, allocation);
    const ChatRequest request = asking("Who are you?", picture);
    (void)ask(*m_engine, asking("Hello!", false)); // something else in the cache
    const Turn whole = ask(*m_engine, request);
    QVERIFY2(!whole.error && !whole.text.empty(), whole.error ? whole.error->message.c_str() : "no text");
    (void)ask(*m_engine, asking("Hello!", false));
    const std::uint64_t opened = std::uint64_t(m_faults->opened);
    const Error error{lost ? ErrorCode::DeviceLost : ErrorCode::OutOfMemory, "it failed on purpose"};
    m_faults->finishes = finishes;
    if (allocation.isEmpty())
        m_faults->onFinish = error;
    else
        m_faults->onAllocate = {allocation.toStdString(), error};

    const Turn failed = ask(*m_engine, request);
    const Turn next = ask(*m_engine, request);

    QVERIFY(failed.error.has_value());
    QVERIFY(failed.error->code == error.code);
    QVERIFY2(failed.error->message.find("it failed on purpose") != std::string::npos,
             failed.error->message.c_str());
    QVERIFY(whole.text.starts_with(failed.text));
    QCOMPARE(!failed.text.empty(), finishes > 0);
    QVERIFY2(!next.error, next.error ? next.error->message.c_str() : "");
    QCOMPARE(next.text, whole.text);
    QCOMPARE(std::uint64_t(m_faults->opened), opened + (lost ? 1 : 0));
}

void FailuresTest::aLostDeviceThatStaysAwayIsToldEachTurn()
{
    m_faults->finishes = 0;
    m_faults->onFinish = Error{ErrorCode::DeviceLost, "the device went away"};
    QVERIFY(ask(*m_engine, asking("Hello!", false)).error->code == ErrorCode::DeviceLost);
    m_away = true;
    for (int i = 0; i < 2; ++i)
        QCOMPARE(ask(*m_engine, asking("Hello!", false)).error->message, "there is no device");
    m_away = false;

    const Turn back = ask(*m_engine, asking("Hello!", false));

    QVERIFY(!back.error && !back.text.empty());
}

QTEST_GUILESS_MAIN(FailuresTest)
#include "failures_test.moc"
