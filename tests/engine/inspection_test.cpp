// What `inspect` makes of folders with the headers of the published checkpoints, and of folders that
// contradict themselves.
#include "engine/model/inspection.h"
#include "tests/support/synthetic_model.h"

#include <algorithm>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace perilune::test;

class InspectionTest : public QObject {
    Q_OBJECT

private slots:
    void publishedSizesAreCounted_data();
    void publishedSizesAreCounted();
    void tensorsOfThePublishedHeadersAreAsMany_data();
    void tensorsOfThePublishedHeadersAreAsMany();
    void everyDisagreementIsNamed_data();
    void everyDisagreementIsNamed();

private:
    QTemporaryDir m_folder;
    std::string folder() const { return m_folder.path().toStdString(); }
};

void InspectionTest::publishedSizesAreCounted_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<unsigned>("layers");
    QTest::addColumn<quint64>("tensors");
    QTest::addColumn<quint64>("parameters"); // 0: as the headers come out

    QTest::newRow("Kimi-VL-A3B") << "kimi-vl" << 0u << quint64(5652) << quint64(16407656048);
    QTest::newRow("Moonlight") << "moonlight" << 0u << quint64(5317) << quint64(15960110208);
    // Two layers of 61: a dense one, and one with 384 experts; the rest as published.
    QTest::newRow("K2.5, two layers") << "k2.5" << 2u << quint64(208550 - 59 * 3470) << quint64(0);
    QTest::newRow("K2-Instruct, two layers")
        << "k2-instruct" << 2u << quint64(139644 - 59 * 2327) << quint64(0);
}

void InspectionTest::publishedSizesAreCounted()
{
    QFETCH(QString, kind);
    QFETCH(unsigned, layers);
    QFETCH(quint64, tensors);
    QFETCH(quint64, parameters);
    QTemporaryDir place;
    const std::string path = place.path().toStdString();
    const SyntheticModel model = syntheticModel(kind.toStdString(), layers);
    QVERIFY(writeSynthetic(model, path).has_value());

    const Inspection inspection = inspectModel(path);

    QVERIFY2(inspection.problems.empty(),
             inspection.problems.empty() ? "" : inspection.problems.front().c_str());
    QVERIFY(!inspection.unreadable);
    QCOMPARE(quint64(inspection.tensors), tensors);
    QCOMPARE(quint64(inspection.bytes), quint64(model.bytes()));
    if (parameters > 0)
        QCOMPARE(quint64(inspection.parameters), parameters);
}

void InspectionTest::tensorsOfThePublishedHeadersAreAsMany_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<quint64>("tensors");
    QTest::addColumn<double>("gibibytes");

    QTest::newRow("K2.5") << "k2.5" << quint64(208550) << 554.27;
    QTest::newRow("K2-Instruct") << "k2-instruct" << quint64(139644) << 958.49;
}

// The whole folders take minutes on a busy machine (perilune-synthetic makes them), their lists don't.
void InspectionTest::tensorsOfThePublishedHeadersAreAsMany()
{
    QFETCH(QString, kind);
    QFETCH(quint64, tensors);
    QFETCH(double, gibibytes);

    const SyntheticModel model = syntheticModel(kind.toStdString());

    QCOMPARE(quint64(model.tensors.size()), tensors);
    QVERIFY(std::abs(double(model.bytes()) / double(1u << 30) - gibibytes) < 0.005);
}

void InspectionTest::everyDisagreementIsNamed_data()
{
    QTest::addColumn<QString>("key"); // the file
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("sentence"); // a part of it

    QTest::newRow("a width")
        << "config.json" << "\"hidden_size\": 2048" << "\"hidden_size\": 2080"
        << "model.embed_tokens.weight is (163840, 2048), but config.json makes it (163840, 2080)";
    QTest::newRow("more layers") << "config.json" << "\"num_hidden_layers\": 2" << "\"num_hidden_layers\": 3"
                                 << "tensor model.layers.2.input_layernorm.weight is missing";
    QTest::newRow("a quantization that isn't there")
        << "config.json" << "\"vocab_size\""
        << "\"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [128, 128]}, "
           "\"vocab_size\""
        << "config.json says quant_method \"fp8\", but no tensor is block FP8";
    QTest::newRow("the wrong shard")
        << "model.safetensors.index.json"
        << "\"model.norm.weight\":\"model-2-of-2.safetensors\""
        << "\"model.norm.weight\":\"model-1-of-2.safetensors\""
        << "places tensor model.norm.weight in model-1-of-2.safetensors, but it stands in "
           "model-2-of-2.safetensors";
    QTest::newRow("a tensor that no shard has")
        << "model.safetensors.index.json" << "\"model.norm.weight\""
        << "\"model.norms.weight\""
        << "places tensor model.norms.weight in model-2-of-2.safetensors, but no shard";
    QTest::newRow("a tensor that the index lacks")
        << "model.safetensors.index.json" << "\"model.norm.weight\""
        << "\"model.norms.weight\""
        << "tensor model.norm.weight stands in model-2-of-2.safetensors, but the index";
    QTest::newRow("a shard that isn't there") << "model.safetensors.index.json"
                                              << "\"model.norm.weight\":\"model-2-of-2.safetensors\""
                                              << "\"model.norm.weight\":\"model-3-of-2.safetensors\""
                                              << "the index names the shard model-3-of-2.safetensors, but";
    QTest::newRow("the size of it all")
        << "model.safetensors.index.json" << "\"total_size\":" << "\"total_size\":1"
        << "bytes in all, but they have";
}

void InspectionTest::everyDisagreementIsNamed()
{
    QFETCH(QString, key);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, sentence);
    SyntheticModel model = syntheticModel("moonlight", 2);
    model.shards = {"model-1-of-2.safetensors", "model-2-of-2.safetensors"};
    QVERIFY(writeSynthetic(model, folder()).has_value());
    QVERIFY(inspectModel(folder()).problems.empty());
    QFile file(m_folder.filePath(key));
    QVERIFY(file.open(QFile::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    QVERIFY(text.contains(from.toUtf8()));
    text.replace(from.toUtf8(), to.toUtf8());
    QVERIFY(file.open(QFile::WriteOnly | QFile::Truncate));
    file.write(text);
    file.close();

    const Inspection inspection = inspectModel(folder());

    const bool named =
        std::any_of(inspection.problems.begin(), inspection.problems.end(), [&](const std::string &problem) {
            return problem.find(sentence.toStdString()) != std::string::npos;
        });
    QVERIFY2(named,
             inspection.problems.empty() ? "no problem is named" : inspection.problems.front().c_str());
}

QTEST_GUILESS_MAIN(InspectionTest)
#include "inspection_test.moc"
