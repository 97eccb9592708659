#pragma once

#include <QColor>
#include <QQuickPaintedItem>

namespace perilune::ui {

/// A line icon, drawn at any size and in any colour from a table of strokes on a 24 x 24 grid. Needs no
/// SVG module, which not every Debian installation of Qt has.
class Icon : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString name READ name WRITE setName NOTIFY nameChanged)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged)

public:
    explicit Icon(QQuickItem *parent = nullptr);

    /// A row of the table in icon_item.cpp; an unknown name draws nothing.
    QString name() const { return m_name; }
    void setName(const QString &name);
    QColor color() const { return m_color; }
    void setColor(const QColor &color);

    void paint(QPainter *painter) override;

    /// Whether the table has an icon of that name.
    static bool exists(const QString &name);

signals:
    void nameChanged();
    void colorChanged();

private:
    QString m_name;
    QColor m_color = Qt::black;
};

} // namespace perilune::ui
