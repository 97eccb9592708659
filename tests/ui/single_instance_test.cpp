#include "ui/single_instance.h"

#include <QGuiApplication>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune::ui;

class SingleInstanceTest : public QObject {
    Q_OBJECT

private slots:
    void theSecondRaisesTheFirst();
    void eachFolderHasItsOwn();
    void theNextOneTakesItsPlace();
};

void SingleInstanceTest::theSecondRaisesTheFirst()
{
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    QVERIFY(!SingleInstance::raiseOther(path)); // nobody is there
    int raised = 0;
    const SingleInstance first(path, [&raised] { ++raised; });

    QVERIFY(SingleInstance::raiseOther(path + "/."));
    QTRY_COMPARE(raised, 1);
    QVERIFY(SingleInstance::raiseOther(path));
    QTRY_COMPARE(raised, 2);
}

void SingleInstanceTest::eachFolderHasItsOwn()
{
    const QTemporaryDir one;
    const QTemporaryDir two;
    const SingleInstance first(one.path().toStdString(), [] { QFAIL("this is another folder"); });

    QVERIFY(!SingleInstance::raiseOther(two.path().toStdString()));
    QTest::qWait(50);
}

void SingleInstanceTest::theNextOneTakesItsPlace()
{
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    auto first = std::make_unique<SingleInstance>(path, [] {});
    QVERIFY(SingleInstance::raiseOther(path));
    first.reset();

    QVERIFY(!SingleInstance::raiseOther(path));
    int raised = 0;
    const SingleInstance next(path, [&raised] { ++raised; });
    QVERIFY(SingleInstance::raiseOther(path));
    QTRY_COMPARE(raised, 1);
}

QTEST_MAIN(SingleInstanceTest)
#include "single_instance_test.moc"
