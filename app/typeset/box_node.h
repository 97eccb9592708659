#pragma once

#include <QHash>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace perilune {

/// A node of KaTeX's tree of boxes, as boxes.js packs it.
struct BoxNode {
    struct Drawing { ///< an SVG
        QHash<QString, QString> attributes;
        std::vector<QString> paths;
        std::vector<QHash<QString, QString>> lines; ///< of \cancel: attributes x1, y1, x2, y2
    };

    QStringList classes;
    QHash<QString, QString> style;
    QString text;
    double italic = 0; ///< em that are left free after a slanted letter
    std::vector<BoxNode> children;
    std::optional<Drawing> drawing;

    bool has(const char *name) const { return classes.contains(QLatin1String(name)); }

    /// The style's length `name` in em of the node's own font; 0 where it has none. Percentages are of
    /// `whole`.
    double length(const char *name, double whole = 0) const;
};

/// The node that `json` describes. `json` comes from boxes.js, which bounds its size and depth.
BoxNode boxNode(const QJsonObject &json);

/// The length that CSS writes as `text`: "0.5em", "50%", "calc(100% - 0.5em)".
double cssLength(QString text, double whole);

} // namespace perilune
