#pragma once

#include "app/settings.h"
#include "engine/api/sampling.h"

#include <QAbstractListModel>
#include <QQmlEngine>

#include <functional>

namespace perilune::ui {

/// How answers are chosen, one row a parameter: what it is for, its value, and what the model suggests where
/// none is set. GUI thread.
class AnswerParameters : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.parameters")

public:
    enum ItemRole {
        TitleRole = Qt::UserRole,
        HelpRole,
        ValueRole, ///< as text, in the person's locale
        IsSetRole, ///< by the person
        RangeRole, ///< "0 to 2"
    };

    /// `suggested` is what the loaded model takes; `keep` is called with what changed.
    AnswerParameters(const Settings &settings, std::function<SamplingOptions()> suggested,
                     std::function<void(const SamplingWishes &, std::uint32_t maxNewTokens)> keep,
                     QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Takes a number as the person wrote it, in their locale or with a point; false where it is none, or out
    /// of range: then nothing changes. An empty text is reset().
    Q_INVOKABLE bool set(int row, const QString &text);
    Q_INVOKABLE void reset(int row);
    /// The model's suggestions may be others now.
    void refresh();

private:
    void changed();

    SamplingWishes m_wishes;
    std::uint32_t m_maxNewTokens;
    std::function<SamplingOptions()> m_suggested;
    std::function<void(const SamplingWishes &, std::uint32_t)> m_keep;
};

} // namespace perilune::ui
