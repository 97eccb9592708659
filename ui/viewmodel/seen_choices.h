#pragma once

#include "app/turn/attachment.h"

#include <QAbstractListModel>
#include <QQmlEngine>
#include <QTimer>

#include <vector>

namespace perilune::ui {

/// Choices of which one holds, each with what it comes to: "Medium detail", "256 tokens".
class ChoiceList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from SeenChoices")
    Q_PROPERTY(QString title READ title CONSTANT)
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum ItemRole { LabelRole = Qt::UserRole, CostRole, ChosenRole };
    struct Option {
        QString label, cost;
        bool chosen = false;
        MediaChoice choice;
    };

    explicit ChoiceList(QString title) : m_title(std::move(title)) {}

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QString title() const { return m_title; }
    int count() const { return static_cast<int>(m_options.size()); }

    /// The rows stay where there are as many, so that the keyboard stays on its own.
    void set(std::vector<Option> options);
    Q_INVOKABLE void choose(int row);

signals:
    void countChanged();
    void chosen(const perilune::MediaChoice &choice);

private:
    QString m_title;
    std::vector<Option> m_options;
};

/// How much of an attachment the model is to see: what there is to choose from, and exactly what each choice
/// costs. Lists of what makes no difference are empty.
class SeenChoices : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from SeenModel.choices")
    Q_PROPERTY(perilune::ui::ChoiceList *kinds READ kinds CONSTANT)
    Q_PROPERTY(perilune::ui::ChoiceList *details READ details CONSTANT)
    Q_PROPERTY(perilune::ui::ChoiceList *frames READ frames CONSTANT)
    Q_PROPERTY(perilune::ui::ChoiceList *fits READ fits CONSTANT)
    Q_PROPERTY(bool hasPart READ hasPart NOTIFY changed)
    Q_PROPERTY(double duration READ duration NOTIFY changed)
    Q_PROPERTY(double from READ from NOTIFY changed)
    Q_PROPERTY(double to READ to NOTIFY changed)
    Q_PROPERTY(QString partText READ partText NOTIFY changed)

public:
    explicit SeenChoices(QObject *parent = nullptr);

    ChoiceList *kinds() { return &m_kinds; }     ///< of an animation: short clip, first frame
    ChoiceList *details() { return &m_details; } ///< full, medium, low
    ChoiceList *frames() { return &m_frames; }   ///< of a clip: all, half of them, …
    ChoiceList *fits() { return &m_fits; }       ///< where not all frames are taken: which ones are left out

    /// The part of a clip, in seconds.
    bool hasPart() const { return m_duration > 0; }
    double duration() const { return m_duration; }
    double from() const { return m_choice.fromSeconds.value_or(0); }
    double to() const { return m_choice.toSeconds.value_or(m_duration); }
    /// "From 1.0 s to 4.5 s: 8 frames, 30 tokens", or why it can't be.
    QString partText() const { return m_partText; }

    /// What there is to choose from for `attachment`; nothing where it doesn't tell what choices cost.
    void show(const Attachment &attachment);

    /// Chooses a part while a hand moves: the text says at once what it comes to, and once the hand rests it
    /// is chosen.
    Q_INVOKABLE void setPart(double from, double to);

signals:
    void changed();
    void chosen(const perilune::MediaChoice &choice);

private:
    void listKinds(const Attachment &attachment);
    void listDetails();
    void listFrames(bool clip);
    void listFits(const Attachment &attachment);
    void describePart();
    ChoiceList::Option option(const QString &label, const MediaChoice &choice) const;

    ChoiceList m_kinds, m_details, m_frames, m_fits;
    MediaChoice m_choice;
    CostOf m_costOf;
    double m_duration = 0; // of a clip; else 0
    QString m_partText;
    bool m_partIsPossible = true;
    QTimer m_rest;
};

} // namespace perilune::ui
