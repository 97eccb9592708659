#pragma once

#include <QObject>
#include <QQmlEngine>

#include <optional>

class QPalette;

namespace perilune::ui {

/// Whether to draw light or dark: as asked for, or as the system has it, and as it changes while we run.
/// Asks the desktop portal, then (Qt 6.5 and later) the style hints, then the palette.
class Appearance : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("the window makes one")
    Q_PROPERTY(bool dark READ dark NOTIFY darkChanged)

public:
    enum class Scheme { System, Light, Dark };

    explicit Appearance(Scheme scheme, QObject *parent = nullptr);

    bool dark() const { return m_dark; }

    /// True for a palette whose windows are darker than their text.
    static bool isDark(const QPalette &palette);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void darkChanged();

private:
    void followSystem();
    void update();

    Scheme m_scheme;
    std::optional<bool> m_portalSaysDark; ///< none where there is no portal, or it has no preference
    bool m_dark = false;
};

} // namespace perilune::ui
