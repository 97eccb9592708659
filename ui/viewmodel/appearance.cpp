#include "ui/viewmodel/appearance.h"

#include "ui/viewmodel/color_scheme_portal.h"

#include <QEvent>
#include <QGuiApplication>
#include <QPalette>
#include <QStyleHints>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune::ui {

Appearance::Appearance(Scheme scheme, QObject *parent) : QObject(parent), m_scheme(scheme)
{
    if (scheme == Scheme::System)
        followSystem();
    update();
}

void Appearance::setScheme(Scheme scheme)
{
    if (m_scheme == scheme)
        return;
    m_scheme = scheme;
    if (scheme == Scheme::System)
        followSystem();
    update();
    emit changed();
}

void Appearance::setTextScale(double scale)
{
    const double fit = std::clamp(std::round(scale * 20) / 20, kLeastScale, kMostScale);
    if (std::abs(fit - m_textScale) < 1e-6)
        return;
    m_textScale = fit;
    emit changed();
}

void Appearance::stepText(int steps)
{
    setTextScale(m_textScale + 0.1 * steps);
}

void Appearance::setHighContrast(bool high)
{
    if (std::exchange(m_highContrast, high) != high)
        emit changed();
}

void Appearance::setReducedMotion(bool reduced)
{
    if (std::exchange(m_reducedMotion, reduced) != reduced)
        emit changed();
}

void Appearance::followSystem()
{
    if (std::exchange(m_following, true))
        return;
    QGuiApplication::instance()->installEventFilter(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { update(); });
#endif
    auto *portal = new ColorSchemePortal(this);
    connect(portal, &ColorSchemePortal::preferenceChanged, this, [this](uint preference) {
        m_portalSaysDark = preference == 0 ? std::nullopt : std::optional(preference == 1);
        update();
    });
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
