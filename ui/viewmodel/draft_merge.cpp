#include "ui/viewmodel/draft_merge.h"

#include <QString>

#include <utility>

namespace perilune::ui {
namespace {

QString wordsOf(const Draft &draft)
{
    return QString::fromStdString(draft.text).trimmed();
}

} // namespace

Draft draftOf(const Message &message)
{
    Draft draft;
    for (const Part &part : message.parts) {
        if (const auto *medium = std::get_if<MediaPart>(&part))
            draft.media.push_back(*medium);
        else if (const auto *words = std::get_if<TextPart>(&part))
            draft.text += words->text;
    }
    for (MediaPart &part : draft.media)
        part.patches = nullptr; // megabytes that a draft has no use for
    return draft;
}

Draft merged(Draft first, const Draft &then)
{
    first.media.insert(first.media.end(), then.media.begin(), then.media.end());
    if (!first.text.empty() && !then.text.empty())
        first.text += "\n\n";
    first.text += then.text;
    return first;
}

bool sendsTheSame(const Draft &one, const Draft &other)
{
    return one.media == other.media && wordsOf(one) == wordsOf(other);
}

KeptDraft keepInDraft(ConversationStore &store, ConversationId conversation, const Draft &returned,
                      Place place)
{
    const Result<Draft> stored = store.draft(conversation);
    const Draft before = stored ? *stored : Draft();
    if (stored && sendsTheSame(before, returned))
        return {.draft = before, .saved = true};
    KeptDraft kept;
    kept.draft = place == Place::Before ? merged(returned, before) : merged(before, returned);
    kept.saved = stored && store.saveDraft(conversation, kept.draft);
    return kept;
}

} // namespace perilune::ui
