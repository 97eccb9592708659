#pragma once

#include <QColor>
#include <QObject>
#include <QPointer>
#include <QQmlEngine>
#include <QQuickTextDocument>

#include <memory>

namespace perilune::ui {

/// Colours the code in the document of a TextEdit by its language. Lines are coloured as they come, so that
/// an answer that is being written costs its new lines only. A language that nobody knows stays plain.
class CodeColors : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument *document READ document WRITE setDocument NOTIFY changed)
    Q_PROPERTY(QString language READ language WRITE setLanguage NOTIFY changed)
    Q_PROPERTY(QList<QColor> palette READ palette WRITE setPalette NOTIFY changed)

public:
    explicit CodeColors(QObject *parent = nullptr);
    ~CodeColors() override;

    QQuickTextDocument *document() const { return m_document; }
    void setDocument(QQuickTextDocument *document);

    /// As after the fence; what follows the first space is not the language.
    QString language() const { return m_language; }
    void setLanguage(const QString &language);

    /// A colour for each CodeKind, in its order.
    QList<QColor> palette() const { return m_palette; }
    void setPalette(const QList<QColor> &palette);

signals:
    void changed();

private:
    class Highlighter;

    void update();

    QPointer<QQuickTextDocument> m_document;
    QString m_language;
    QList<QColor> m_palette;
    std::unique_ptr<Highlighter> m_highlighter;
};

} // namespace perilune::ui
