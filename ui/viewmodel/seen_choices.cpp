#include "ui/viewmodel/seen_choices.h"

#include <QLocale>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kRest{350}; // a hand that moves no more
constexpr double kStep = 0.1;                   // seconds

QString number(std::uint64_t value)
{
    return QLocale().toString(static_cast<qulonglong>(value));
}

QString tokensText(std::uint64_t tokens)
{
    return tokens == 1 ? SeenChoices::tr("1 token") : SeenChoices::tr("%1 tokens").arg(number(tokens));
}

QString framesText(std::uint64_t frames)
{
    return frames == 1 ? SeenChoices::tr("1 frame") : SeenChoices::tr("%1 frames").arg(number(frames));
}

QString secondsText(double seconds)
{
    return SeenChoices::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1));
}

} // namespace

int ChoiceList::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ChoiceList::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Option &option = m_options[static_cast<std::size_t>(index.row())];
    switch (role) {
    case LabelRole: return option.label;
    case CostRole: return option.cost;
    case ChosenRole: return option.chosen;
    default: return {};
    }
}

QHash<int, QByteArray> ChoiceList::roleNames() const
{
    return {
        {LabelRole,  "label" },
        {CostRole,   "cost"  },
        {ChosenRole, "chosen"}
    };
}

void ChoiceList::set(std::vector<Option> options)
{
    if (options.size() == m_options.size()) {
        m_options = std::move(options);
        if (count() > 0)
            emit dataChanged(index(0), index(count() - 1));
        return;
    }
    beginResetModel();
    m_options = std::move(options);
    endResetModel();
    emit countChanged();
}

void ChoiceList::choose(int row)
{
    if (row >= 0 && row < count() && !m_options[static_cast<std::size_t>(row)].chosen)
        emit chosen(MediaChoice(m_options[static_cast<std::size_t>(row)].choice));
}

SeenChoices::SeenChoices(QObject *parent)
    : QObject(parent),
      m_kinds(tr("Taken as")),
      m_details(tr("Detail")),
      m_frames(tr("Frames")),
      m_fits(tr("Which frames"))
{
    for (ChoiceList *list : {&m_kinds, &m_details, &m_frames, &m_fits})
        connect(list, &ChoiceList::chosen, this, &SeenChoices::chosen);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_partIsPossible)
            emit chosen(MediaChoice(m_choice));
    });
}

void SeenChoices::show(const Attachment &attachment)
{
    m_rest.stop();
    const bool clip = attachment.part.kind == MediaPart::Kind::Video;
    m_choice = attachment.part.choice;
    m_costOf = attachment.costOf;
    m_duration = m_costOf && clip ? attachment.durationSeconds : 0;
    listKinds(attachment);
    listDetails();
    listFrames(clip);
    listFits(attachment);
    describePart();
    emit changed();
}

ChoiceList::Option SeenChoices::option(const QString &label, const MediaChoice &choice) const
{
    const Result<ClipCost> cost = m_costOf(choice);
    return {.label = label,
            .cost = cost ? tokensText(cost->tokens) : QString::fromStdString(cost.error().message),
            .chosen = choice == m_choice,
            .choice = choice};
}

void SeenChoices::listKinds(const Attachment &attachment)
{
    std::vector<ChoiceList::Option> options;
    if (m_costOf && attachment.animation) {
        MediaChoice choice = m_choice;
        choice.firstFrame = false;
        options.push_back(option(tr("A short clip"), choice));
        choice.firstFrame = true;
        options.push_back(option(tr("Its first frame"), choice));
    }
    m_kinds.set(std::move(options));
}

void SeenChoices::listDetails()
{
    std::vector<ChoiceList::Option> options;
    if (m_costOf) {
        MediaChoice choice = m_choice;
        for (const auto &[detail, label] : {
                 std::pair{MediaChoice::Detail::Full,   tr("Full")  },
                 std::pair{MediaChoice::Detail::Medium, tr("Medium")},
                 std::pair{MediaChoice::Detail::Low,    tr("Low")   }
        }) {
            choice.detail = detail;
            options.push_back(option(label, choice));
        }
    }
    m_details.set(std::move(options));
}

/// All frames that there is room for, half as many, and so on.
void SeenChoices::listFrames(bool clip)
{
    std::vector<ChoiceList::Option> options;
    MediaChoice choice = m_choice;
    choice.maxFrames.reset();
    const Result<ClipCost> all = m_costOf && clip ? m_costOf(choice) : ClipCost{};
    const std::uint32_t most = all ? all->frames : 0;
    if (most > 1)
        options.push_back(option(tr("All %1").arg(number(most)), choice));
    const std::uint32_t own = m_choice.maxFrames.value_or(0); // it may be any number
    for (std::uint32_t frames = most / 2, row = 1; frames > 0 && row < 4; frames /= 2, ++row) {
        if (own > frames && own < 2 * frames && own < most) {
            choice.maxFrames = own;
            options.push_back(option(number(own), choice));
        }
        choice.maxFrames = frames;
        options.push_back(option(number(frames), choice));
    }
    if (!options.empty() && std::ranges::none_of(options, &ChoiceList::Option::chosen))
        options.front().chosen = own >= most;
    m_frames.set(std::move(options));
}

void SeenChoices::listFits(const Attachment &attachment)
{
    std::vector<ChoiceList::Option> options;
    const auto &choices = attachment.choices;
    if (m_costOf && choices && choices->thinned && choices->trimmed) {
        const auto spans = [](const QString &label, const ClipCost &cost) {
            return tr("%1, %2 to %3").arg(label, secondsText(cost.fromSeconds), secondsText(cost.toSeconds));
        };
        MediaChoice choice = m_choice;
        choice.fit = MediaChoice::Fit::Thin;
        options.push_back(option(spans(tr("Evenly spread"), *choices->thinned), choice));
        choice.fit = MediaChoice::Fit::Trim;
        options.push_back(option(spans(tr("Only the beginning"), *choices->trimmed), choice));
    }
    m_fits.set(std::move(options));
}

void SeenChoices::describePart()
{
    m_partText.clear();
    if (!hasPart())
        return;
    const Result<ClipCost> cost = m_costOf(m_choice);
    m_partIsPossible = cost.has_value();
    m_partText =
        cost ? tr("%1 to %2: %3, %4")
                   .arg(secondsText(from()), secondsText(to()), framesText(cost->frames),
                        tokensText(cost->tokens))
             : tr("%1 to %2: %3")
                   .arg(secondsText(from()), secondsText(to()), QString::fromStdString(cost.error().message));
}

void SeenChoices::setPart(double from, double to)
{
    if (!hasPart() || !std::isfinite(from) || !std::isfinite(to))
        return;
    // What can be said and stored in one decimal; the ends mean all there is.
    from = std::round(std::clamp(from, 0.0, m_duration) / kStep) * kStep;
    const double end = std::round(std::clamp(to, from, m_duration) / kStep) * kStep;
    m_choice.fromSeconds = from > 0 ? std::optional(from) : std::nullopt;
    m_choice.toSeconds = to < m_duration && end < m_duration ? std::optional(end) : std::nullopt;
    describePart();
    emit changed();
    m_rest.start();
}

} // namespace perilune::ui
