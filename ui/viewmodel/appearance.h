#pragma once

#include <QObject>
#include <QQmlEngine>

#include <optional>

class QPalette;

namespace perilune::ui {

/// How to draw: light or dark, as asked for or as the system has it and as it changes while we run (it asks
/// the desktop portal, then, with Qt 6.5 and later, the style hints, then the palette); how large the text
/// is; and whether contrast is wanted more, and motion less.
class Appearance : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("the window makes one")
    Q_PROPERTY(bool dark READ dark NOTIFY darkChanged)
    Q_PROPERTY(Scheme scheme READ scheme WRITE setScheme NOTIFY changed)
    Q_PROPERTY(double textScale READ textScale WRITE setTextScale NOTIFY changed)
    Q_PROPERTY(bool highContrast READ highContrast WRITE setHighContrast NOTIFY changed)
    Q_PROPERTY(bool reducedMotion READ reducedMotion WRITE setReducedMotion NOTIFY changed)

public:
    enum class Scheme { System, Light, Dark };
    Q_ENUM(Scheme)

    explicit Appearance(Scheme scheme, QObject *parent = nullptr);

    bool dark() const { return m_dark; }
    Scheme scheme() const { return m_scheme; }
    void setScheme(Scheme scheme);

    static constexpr double kLeastScale = 0.8, kMostScale = 2.0;
    /// 1 is the usual size.
    double textScale() const { return m_textScale; }
    /// Between kLeastScale and kMostScale.
    void setTextScale(double scale);
    /// A step of a tenth up (1) or down (-1).
    Q_INVOKABLE void stepText(int steps);
    bool highContrast() const { return m_highContrast; }
    void setHighContrast(bool high);
    bool reducedMotion() const { return m_reducedMotion; }
    void setReducedMotion(bool reduced);

    /// True for a palette whose windows are darker than their text.
    static bool isDark(const QPalette &palette);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void darkChanged();
    /// What the person chose; to be kept.
    void changed();

private:
    void followSystem();
    void update();

    Scheme m_scheme;
    std::optional<bool> m_portalSaysDark; ///< none where there is no portal, or it has no preference
    bool m_dark = false;
    bool m_following = false; ///< the system
    double m_textScale = 1.0;
    bool m_highContrast = false, m_reducedMotion = false;
};

} // namespace perilune::ui
