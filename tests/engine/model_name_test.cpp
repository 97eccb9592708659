#include "engine/session/model_name.h"

#include <QTest>

using namespace perilune;

class ModelNameTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatPeopleCallIt_data();
    void saysWhatPeopleCallIt();
};

void ModelNameTest::saysWhatPeopleCallIt_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("name");

    QTest::newRow("own name") << "/models/Kimi-VL-A3B-Instruct" << "Kimi-VL-A3B-Instruct";
    QTest::newRow("slash at the end") << "/models/Moonlight-16B-A3B/" << "Moonlight-16B-A3B";
    QTest::newRow("cache") << "/h/hub/models--moonshotai--Kimi-K2.5/snapshots/0123abcd" << "Kimi-K2.5";
    QTest::newRow("cache, another layout") << "/h/other/snapshots/0123abcd" << "0123abcd";
    QTest::newRow("cache, nothing after the owner") << "/h/models--x--/snapshots/0123" << "0123";
    QTest::newRow("demo, source tree") << "/src/packaging/demo-model/model" << "Perilune demo";
    QTest::newRow("demo, installed") << "/usr/share/perilune/demo-model" << "Perilune demo";
    QTest::newRow("called model") << "/models/mine/model" << "mine";
    QTest::newRow("model at the root") << "/model" << "model";
    QTest::newRow("dots") << "/models/a/../b" << "b";
    QTest::newRow("root") << "/" << "model";
}

void ModelNameTest::saysWhatPeopleCallIt()
{
    QFETCH(QString, folder);

    QTEST(QString::fromStdString(modelNameOf(folder.toStdString())), "name");
}

QTEST_GUILESS_MAIN(ModelNameTest)
#include "model_name_test.moc"
