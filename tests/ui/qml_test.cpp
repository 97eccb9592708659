// Runs every tests/ui/tst_*.qml against the real QML module, off screen.
#include <QQmlEngine>
#include <QQuickStyle>
#include <QtQml/QQmlExtensionPlugin>
#include <QtQuickTest>

Q_IMPORT_QML_PLUGIN(PerilunePlugin)

class Setup : public QObject {
    Q_OBJECT

public slots:
    void applicationAvailable() { QQuickStyle::setStyle(QStringLiteral("Basic")); }
    void qmlEngineAvailable(QQmlEngine *engine) { engine->addImportPath(QStringLiteral(":/qt/qml")); }
};

QUICK_TEST_MAIN_WITH_SETUP(ui, Setup)
#include "qml_test.moc"
