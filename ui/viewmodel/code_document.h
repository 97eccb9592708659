#pragma once

#include <QObject>
#include <QPointer>
#include <QQmlEngine>
#include <QQuickTextDocument>

namespace perilune::ui {

/// Keeps the document of a TextEdit left to right, line by line, whatever script is in it: code reads that
/// way, though a comment in it may be Arabic. And gives its lines some air.
class CodeDocument : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument *document READ document WRITE setDocument NOTIFY documentChanged)

public:
    using QObject::QObject;

    QQuickTextDocument *document() const { return m_document; }
    void setDocument(QQuickTextDocument *document);

signals:
    void documentChanged();

private:
    void straighten(int position, int added);

    QPointer<QQuickTextDocument> m_document;
    bool m_changing = false;
};

} // namespace perilune::ui
