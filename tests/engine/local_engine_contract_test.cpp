// The local engine keeps the contract of all engines; the demo model answers.
#include "engine/session/local_engine.h"
#include "tests/engine_contract.h"

using namespace perilune;

class LocalEngineContractTest : public test::EngineContract {
    Q_OBJECT

protected:
    std::unique_ptr<ChatEngine> make() override { return open(1024); }
    std::unique_ptr<ChatEngine> makeEndless() override
    {
        return open(1024);
    } // a sentence is long enough to stop in
    std::unique_ptr<ChatEngine> makeFailing() override { return open(4); } // no prompt is so short

private:
    static std::unique_ptr<ChatEngine> open(std::uint32_t context)
    {
        OpenOptions options;
        options.folder = SOURCE_DIR "/packaging/demo-model/model";
        options.context = context;
        auto engine = LocalEngine::open(options, std::nullopt, {}, {});
        if (!engine)
            qFatal("%s", engine.error().message.c_str());
        return *std::move(engine);
    }
};

QTEST_GUILESS_MAIN(LocalEngineContractTest)
#include "local_engine_contract_test.moc"
