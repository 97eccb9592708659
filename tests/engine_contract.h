#pragma once

#include "engine/api/chat_engine.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <memory>
#include <thread>

namespace perilune::test {

/// What every ChatEngine must do, whatever is behind it. A test of an engine inherits this as its QObject and
/// says how one is made.
class EngineContract : public QObject {
    Q_OBJECT

protected:
    /// An engine that answers `say()` with at least three pieces of text.
    virtual std::unique_ptr<ChatEngine> make() = 0;
    /// An engine that goes on for seconds, if nobody stops it.
    virtual std::unique_ptr<ChatEngine> makeEndless() = 0;
    /// An engine whose reply fails; null where that can't be arranged.
    virtual std::unique_ptr<ChatEngine> makeFailing() { return nullptr; }

    static ChatRequest say(const std::string &text)
    {
        ChatRequest request;
        request.thinking = false;
        request.sampling.temperature = 0;
        request.messages.emplace_back();
        request.messages.back().parts.emplace_back(TextPart{text});
        return request;
    }

private slots:
    void progressComesBeforeTheAnswer()
    {
        const auto engine = make();
        bool answering = false;
        int pieces = 0;
        const auto thread = std::this_thread::get_id();

        const auto summary = engine->reply(say("Hello"),
                                           [&](const ReplyEvent &event) {
                                               QVERIFY(std::this_thread::get_id() == thread);
                                               const bool progress = std::holds_alternative<Progress>(event);
                                               QVERIFY(!(progress && answering));
                                               answering |= !progress;
                                               pieces += progress ? 0 : 1;
                                           },
                                           {});

        QVERIFY2(summary, summary ? "" : summary.error().message.c_str());
        QVERIFY(pieces >= 1);
        QVERIFY(summary->promptTokens > 0);
        QVERIFY(summary->newTokens > 0);
        QVERIFY(summary->cachedTokens <= summary->promptTokens);
        QVERIFY(summary->finish == ReplySummary::Finish::Stop ||
                summary->finish == ReplySummary::Finish::Length);
    }

    void answersAgain()
    {
        const auto engine = make();
        for (int i = 0; i < 2; ++i)
            QVERIFY(engine->reply(say("Hello"), [](const ReplyEvent &) {}, {}));
    }

    void stopsInTheMiddle()
    {
        const auto engine = makeEndless();
        std::stop_source stop;
        std::atomic<int> pieces = 0;
        std::atomic<qint64> askedMs = -1;
        QElapsedTimer clock;
        clock.start();

        const auto summary = engine->reply(
            say("Go on and on"),
            [&](const ReplyEvent &event) {
                if (!std::holds_alternative<Progress>(event) && ++pieces == 2) {
                    askedMs = clock.elapsed();
                    stop.request_stop();
                }
            },
            stop.get_token());

        QVERIFY(askedMs >= 0);
        const qint64 tookMs = clock.elapsed() - askedMs;
        QVERIFY2(tookMs < 1000, qPrintable(QString("%1 ms from stop to end").arg(tookMs)));
        QVERIFY(summary ? summary->finish == ReplySummary::Finish::Cancelled
                        : summary.error().code == ErrorCode::Cancelled);
        QVERIFY(engine->reply(say("Hello"), [](const ReplyEvent &) {}, {})); // and works at once again
    }

    void stoppedBeforeItBeginsSaysNothing()
    {
        const auto engine = make();
        std::stop_source stop;
        stop.request_stop();
        int pieces = 0;

        const auto summary = engine->reply(
            say("Hello"),
            [&](const ReplyEvent &event) { pieces += std::holds_alternative<Progress>(event) ? 0 : 1; },
            stop.get_token());

        QCOMPARE(pieces, 0);
        QVERIFY(summary ? summary->finish == ReplySummary::Finish::Cancelled
                        : summary.error().code == ErrorCode::Cancelled);
    }

    void failureHasASentence()
    {
        const auto engine = makeFailing();
        if (!engine)
            QSKIP("this engine has no failure that a test can bring about");

        const auto summary = engine->reply(say("Hello"), [](const ReplyEvent &) {}, {});

        QVERIFY(!summary);
        QVERIFY(summary.error().code != ErrorCode::Cancelled);
        QVERIFY(summary.error().message.size() > 5);
    }

    void saysWhatItCanDo()
    {
        const Capabilities capabilities = make()->capabilities();

        QVERIFY(!capabilities.modelName.empty());
        QVERIFY(!capabilities.deviceName.empty());
        QVERIFY(capabilities.contextTokens > 0);
        QVERIFY(!capabilities.wantsPatches || capabilities.images);
    }
};

} // namespace perilune::test
