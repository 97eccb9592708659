#pragma once

#include <QImage>
#include <QQuickPaintedItem>

namespace perilune::ui {

/// Draws an image that is in memory, cut to fill its own rounded rectangle.
class PixelImage : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QVariant image READ image WRITE setImage NOTIFY changed)
    Q_PROPERTY(double radius READ radius WRITE setRadius NOTIFY changed)

public:
    explicit PixelImage(QQuickItem *parent = nullptr) : QQuickPaintedItem(parent) { setAntialiasing(true); }

    QVariant image() const { return m_image; }
    void setImage(const QVariant &image);
    double radius() const { return m_radius; }
    void setRadius(double radius);

    void paint(QPainter *painter) override;

signals:
    void changed();

private:
    QImage m_image;
    double m_radius = 0;
};

} // namespace perilune::ui
