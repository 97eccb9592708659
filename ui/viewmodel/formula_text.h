#pragma once

#include "ui/viewmodel/formula_shelf.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QQmlEngine>
#include <QQmlParserStatus>

#include <vector>

namespace perilune::ui {

/// How rich_text.cpp writes a formula down. Rich text knows no such tag; FormulaText makes images of them.
QString formulaTag(const QString &latex, bool display);

/// Rich text with its formulas as images in the size and colour of the text around them; while one isn't set
/// yet, and where it can't be, its source stands there as code.
class FormulaText : public QObject, public QQmlParserStatus {
    Q_OBJECT
    QML_ELEMENT
    Q_INTERFACES(QQmlParserStatus)
    Q_PROPERTY(QString html READ html WRITE setHtml NOTIFY changed)
    Q_PROPERTY(QFont font READ font WRITE setFont NOTIFY changed)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY changed)
    Q_PROPERTY(double ratio READ ratio WRITE setRatio NOTIFY changed)
    Q_PROPERTY(QString text READ text NOTIFY textChanged)

public:
    explicit FormulaText(QObject *parent = nullptr) : QObject(parent) {}

    QString html() const { return m_html; }
    void setHtml(const QString &html);
    QFont font() const { return m_font; }
    void setFont(const QFont &font);
    QColor color() const { return m_color; }
    void setColor(const QColor &color);
    double ratio() const { return m_ratio; } ///< dots a unit
    void setRatio(double ratio);
    QString text() const { return m_text; }

    /// `words` of the text as plain text has them, with the source of each formula in the image's place.
    /// `before` is what stands before them.
    Q_INVOKABLE QString withSources(const QString &words, const QString &before) const;
    /// Puts such words on the clipboard; false where there are none.
    Q_INVOKABLE bool copy(const QString &words, const QString &before) const;

    void classBegin() override { m_complete = false; }
    void componentComplete() override;

signals:
    void changed();
    void textChanged();

private:
    void update();
    QString image(const QString &latex, bool display);

    QString m_html, m_text;
    QFont m_font;
    QColor m_color = Qt::black;
    double m_ratio = 1;
    bool m_complete = true, m_waiting = false;
    FormulaShelf *m_shelf = nullptr;
    QStringList m_sources;                  ///< of the images, in their order
    std::vector<ShelvedFormulaPtr> m_shown; ///< held while their images may be asked for
};

} // namespace perilune::ui
