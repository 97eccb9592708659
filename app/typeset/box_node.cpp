#include "app/typeset/box_node.h"

#include <QJsonArray>

namespace perilune {

namespace {

QHash<QString, QString> texts(const QJsonObject &json)
{
    QHash<QString, QString> found;
    for (auto each = json.begin(); each != json.end(); ++each)
        found.insert(each.key(), each.value().toVariant().toString());
    return found;
}

BoxNode::Drawing drawing(const QJsonObject &json)
{
    BoxNode::Drawing drawing{.attributes = texts(json["a"].toObject()), .paths = {}, .lines = {}};
    for (const QJsonValue path : json["p"].toArray())
        drawing.paths.push_back(path.toString());
    for (const QJsonValue line : json["l"].toArray())
        drawing.lines.push_back(texts(line.toObject()));
    return drawing;
}

} // namespace

double cssLength(QString text, double whole)
{
    text = text.trimmed();
    if (text.startsWith(QLatin1String("calc(")) && text.endsWith(QLatin1Char(')'))) {
        // Of this form alone: calc(100% - 0.5em)
        const QStringList sides = text.mid(5, text.size() - 6).split(QStringLiteral(" - "));
        return cssLength(sides.value(0), whole) - cssLength(sides.value(1), whole);
    }
    if (text.endsWith(QLatin1Char('%')))
        return text.chopped(1).toDouble() / 100 * whole;
    return text.endsWith(QLatin1String("em")) ? text.chopped(2).toDouble() : 0;
}

double BoxNode::length(const char *name, double whole) const
{
    const auto found = style.find(QLatin1String(name));
    return found == style.end() ? 0 : cssLength(*found, whole);
}

BoxNode boxNode(const QJsonObject &json)
{
    BoxNode node;
    for (const QJsonValue name : json["c"].toArray())
        node.classes += name.toString().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    node.style = texts(json["s"].toObject());
    node.text = json["t"].toString();
    node.italic = json["i"].toDouble();
    if (json.contains("v"))
        node.drawing = drawing(json["v"].toObject());
    const QJsonArray children = json["k"].toArray();
    node.children.reserve(static_cast<std::size_t>(children.size()));
    for (const QJsonValue child : children)
        node.children.push_back(boxNode(child.toObject()));
    return node;
}

} // namespace perilune
