#include "ui/viewmodel/appearance.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QEvent>
#include <QGuiApplication>
#include <QPalette>
#include <QStyleHints>

namespace perilune::ui {
namespace {

constexpr auto kPortal = "org.freedesktop.portal.Desktop";
constexpr auto kPortalPath = "/org/freedesktop/portal/desktop";
constexpr auto kSettings = "org.freedesktop.portal.Settings";
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

} // namespace

Appearance::Appearance(Scheme scheme, QObject *parent) : QObject(parent), m_scheme(scheme)
{
    if (scheme == Scheme::System) {
        QGuiApplication::instance()->installEventFilter(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
        connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { update(); });
#endif
        askPortal();
    }
    update();
}

bool Appearance::isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

bool Appearance::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ApplicationPaletteChange)
        update();
    return QObject::eventFilter(watched, event);
}

void Appearance::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;

    bus.connect(kPortal, kPortalPath, kSettings, "SettingChanged", this,
                SLOT(portalChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kPortal, kPortalPath, kSettings, "Read");
    read.setArguments({kGroup, kKey});
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError())
            usePortalValue(reply.value().variant());
        done->deleteLater();
    });
}

void Appearance::portalChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == kGroup && key == kKey)
        usePortalValue(value.variant());
}

void Appearance::usePortalValue(const QVariant &value)
{
    // Read wraps its answer in a second variant; the signal does not.
    const QVariant inner =
        value.canConvert<QDBusVariant>() ? value.value<QDBusVariant>().variant() : value;
    const uint preference = inner.toUInt(); // 0 none, 1 dark, 2 light
    m_portalSaysDark = preference == 0 ? std::nullopt : std::optional(preference == 1);
    update();
}

void Appearance::update()
{
    bool dark = m_scheme == Scheme::Dark;
    if (m_scheme == Scheme::System) {
        dark = isDark(QGuiApplication::palette());
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
        if (QGuiApplication::styleHints()->colorScheme() != Qt::ColorScheme::Unknown)
            dark = QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#endif
        dark = m_portalSaysDark.value_or(dark);
    }
    if (dark == m_dark)
        return;
    m_dark = dark;
    emit darkChanged();
}

} // namespace perilune::ui
