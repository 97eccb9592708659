#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QVariant>

namespace perilune::ui {

/// Asks the desktop portal (org.freedesktop.appearance) whether the person prefers dark, and hears of
/// changes. Where there is no session bus or no portal it stays silent.
class ColorSchemePortal : public QObject {
    Q_OBJECT

public:
    explicit ColorSchemePortal(QObject *parent = nullptr);

    /// 0 for no preference, 1 for dark, 2 for light. The portal's method wraps the number once more than its
    /// signal does.
    static uint preferenceOf(const QVariant &value);

signals:
    void preferenceChanged(uint preference);

private slots:
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);
};

} // namespace perilune::ui
