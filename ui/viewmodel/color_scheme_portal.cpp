#include "ui/viewmodel/color_scheme_portal.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace perilune::ui {
namespace {

constexpr auto kPortal = "org.freedesktop.portal.Desktop";
constexpr auto kPath = "/org/freedesktop/portal/desktop";
constexpr auto kSettings = "org.freedesktop.portal.Settings";
const QLatin1String kGroup("org.freedesktop.appearance");
const QLatin1String kKey("color-scheme");

} // namespace

ColorSchemePortal::ColorSchemePortal(QObject *parent) : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;

    bus.connect(kPortal, kPath, kSettings, "SettingChanged", this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kPortal, kPath, kSettings, "Read");
    read.setArguments({QString(kGroup), QString(kKey)});
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError())
            emit preferenceChanged(preferenceOf(reply.value().variant()));
        done->deleteLater();
    });
}

uint ColorSchemePortal::preferenceOf(const QVariant &value)
{
    const bool wrapped = value.metaType() == QMetaType::fromType<QDBusVariant>();
    return (wrapped ? value.value<QDBusVariant>().variant() : value).toUInt();
}

void ColorSchemePortal::settingChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == kGroup && key == kKey)
        emit preferenceChanged(preferenceOf(value.variant()));
}

} // namespace perilune::ui
