#pragma once

#include <QPointer>
#include <QQmlEngine>
#include <QQuickTextDocument>
#include <QRectF>
#include <QSizeF>

namespace perilune::ui {

/// Where words stand in the document of a TextEdit, so that they can be marked: as search compares letters,
/// a rectangle for each line that a place covers.
class FoundText : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument *document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(QString words READ words WRITE setWords NOTIFY wordsChanged)
    Q_PROPERTY(QSizeF room READ room WRITE setRoom NOTIFY roomChanged)
    Q_PROPERTY(QList<QRectF> places READ places NOTIFY placesChanged)

public:
    using QObject::QObject;

    QQuickTextDocument *document() const { return m_document; }
    void setDocument(QQuickTextDocument *document);
    /// As they were typed into the search.
    QString words() const { return m_words; }
    void setWords(const QString &words);
    /// The size of the text: where it changes, lines are broken anew.
    QSizeF room() const { return m_room; }
    void setRoom(const QSizeF &room);
    /// In the coordinates of the TextEdit, from the first place on.
    QList<QRectF> places() const { return m_places; }

signals:
    void documentChanged();
    void wordsChanged();
    void roomChanged();
    void placesChanged();

private:
    void update();

    QPointer<QQuickTextDocument> m_document;
    QString m_words;
    QSizeF m_room;
    QList<QRectF> m_places;
};

} // namespace perilune::ui
