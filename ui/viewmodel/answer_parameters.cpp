#include "ui/viewmodel/answer_parameters.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace perilune::ui {
namespace {

enum Row { Temperature, TopP, MinP, TopK, MaxNewTokens };

struct Parameter {
    const char *title, *help; // to be translated
    double least, most;
    bool whole;
};

// In the order of Row; the ranges are those of the settings file.
constexpr Parameter kParameters[] = {
    {QT_TRANSLATE_NOOP("AnswerParameters", "Temperature"),
     QT_TRANSLATE_NOOP("AnswerParameters", "How freely words are chosen. 0 always takes the most likely one; "
                                           "higher is more varied and less exact."),
     0, 2,   false},
    {QT_TRANSLATE_NOOP("AnswerParameters", "Top p"),
     QT_TRANSLATE_NOOP(
         "AnswerParameters",               "Leaves out unlikely words: the most likely ones that together reach this share stay. 1 keeps all."),
     0, 1,   false},
    {QT_TRANSLATE_NOOP("AnswerParameters", "Min p"),
     QT_TRANSLATE_NOOP(
         "AnswerParameters",               "Leaves out words that are less likely than this share of the most likely one. 0 keeps all."),
     0, 1,   false},
    {QT_TRANSLATE_NOOP("AnswerParameters", "Top k"),
     QT_TRANSLATE_NOOP("AnswerParameters",
     "At most this many words are considered at a time. 0 considers all."),
     0, 1e6, true },
    {QT_TRANSLATE_NOOP("AnswerParameters", "Longest answer"),
     QT_TRANSLATE_NOOP("AnswerParameters", "In tokens, thinking included; a token is about three quarters of "
                                           "an English word. Longer answers are cut there."),
     1, 1e6, true },
};
constexpr int kCount = static_cast<int>(std::size(kParameters));

template <typename Wishes>
auto wished(Wishes &wishes, int row) -> decltype(&wishes.temperature)
{
    return row == Temperature ? &wishes.temperature : row == TopP ? &wishes.topP : &wishes.minP;
}

/// Without the noise that a float's decimals end in.
QString shown(double value, bool whole)
{
    return whole ? QLocale().toString(static_cast<qlonglong>(value)) : QLocale().toString(value, 'g', 4);
}

QString translated(const char *words)
{
    return QCoreApplication::translate("AnswerParameters", words);
}

} // namespace

AnswerParameters::AnswerParameters(const Settings &settings, std::function<SamplingOptions()> suggested,
                                   std::function<void(const SamplingWishes &, std::uint32_t)> keep,
                                   QObject *parent)
    : QAbstractListModel(parent),
      m_wishes(settings.sampling),
      m_maxNewTokens(settings.maxNewTokens),
      m_suggested(std::move(suggested)),
      m_keep(std::move(keep))
{
}

int AnswerParameters::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kCount;
}

QVariant AnswerParameters::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    const Parameter &parameter = kParameters[row];
    const SamplingOptions used = m_wishes.over(m_suggested());
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return translated(parameter.title);
    case HelpRole: return translated(parameter.help);
    case RangeRole:
        return tr("%1 to %2")
            .arg(shown(parameter.least, parameter.whole), shown(parameter.most, parameter.whole));
    case IsSetRole:
        if (row == MaxNewTokens)
            return m_maxNewTokens != Settings().maxNewTokens;
        return row == TopK ? m_wishes.topK.has_value() : wished(m_wishes, row)->has_value();
    case ValueRole: {
        const double values[] = {used.temperature, used.topP, used.minP, static_cast<double>(used.topK),
                                 static_cast<double>(m_maxNewTokens)};
        return shown(values[row], parameter.whole);
    }
    default: return {};
    }
}

QHash<int, QByteArray> AnswerParameters::roleNames() const
{
    return {
        {TitleRole, "title"},
        {HelpRole,  "help" },
        {ValueRole, "value"},
        {IsSetRole, "isSet"},
        {RangeRole, "range"}
    };
}

bool AnswerParameters::set(int row, const QString &text)
{
    if (row < 0 || row >= kCount)
        return false;
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty()) {
        reset(row);
        return true;
    }
    bool isNumber = false;
    double value = QLocale().toDouble(trimmed, &isNumber);
    if (!isNumber)
        value = QLocale::c().toDouble(trimmed, &isNumber);
    const Parameter &parameter = kParameters[row];
    if (!isNumber || !(value >= parameter.least && value <= parameter.most) ||
        (parameter.whole && value != std::floor(value)))
        return false;
    if (row == MaxNewTokens)
        m_maxNewTokens = static_cast<std::uint32_t>(value);
    else if (row == TopK)
        m_wishes.topK = static_cast<std::uint32_t>(value);
    else
        *wished(m_wishes, row) = static_cast<float>(value);
    changed();
    return true;
}

void AnswerParameters::reset(int row)
{
    if (row < 0 || row >= kCount)
        return;
    if (row == MaxNewTokens)
        m_maxNewTokens = Settings().maxNewTokens;
    else if (row == TopK)
        m_wishes.topK.reset();
    else
        wished(m_wishes, row)->reset();
    changed();
}

void AnswerParameters::changed()
{
    m_keep(m_wishes, m_maxNewTokens);
    refresh(); // a wish may change what the suggestion of another comes to
}

void AnswerParameters::refresh()
{
    emit dataChanged(index(0), index(kCount - 1));
}

} // namespace perilune::ui
