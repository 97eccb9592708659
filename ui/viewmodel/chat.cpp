#include "ui/viewmodel/chat.h"

#include "app/turn/prologue.h"
#include "ui/viewmodel/rich_text.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QPointer>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace perilune::ui {
namespace {

ToolCallStep::Value stepOf(CallState state)
{
    switch (state) {
    case CallState::Asking: return ToolCallStep::Asking;
    case CallState::Running: return ToolCallStep::Running;
    case CallState::Done: return ToolCallStep::Done;
    case CallState::Failed: return ToolCallStep::Failed;
    case CallState::None: break;
    }
    return ToolCallStep::None;
}

/// What a message has so far, as if it came now.
std::vector<ReplyEvent> eventsOf(const Message &message)
{
    std::vector<ReplyEvent> events;
    for (const Part &part : message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            events.emplace_back(TextDelta{words->text});
        else if (const auto *thought = std::get_if<ThinkingPart>(&part))
            events.emplace_back(ThinkingDelta{thought->text});
    }
    return events;
}

Approval approvalOf(int answer)
{
    switch (answer) {
    case ToolCallStep::Once: return Approval::Once;
    case ToolCallStep::ThisChat: return Approval::ThisChat;
    case ToolCallStep::Always: return Approval::Always;
    default: return Approval::Refused;
    }
}

/// Where the tools of a new chat are switched that is out of view before it is a conversation.
ToolChoices::Chat placeOf(TurnId turn)
{
    return -static_cast<ToolChoices::Chat>(turn);
}

} // namespace

Chat::Chat(Services services, QObject *parent)
    : QObject(parent),
      m_services(std::move(services)),
      m_tools(*m_services.tools, *m_services.toolChoices)
{
    connect(&m_tools, &ToolList::changed, this, &Chat::toolsChanged);
    m_services.turns->setListener(this);
    connect(m_services.composer, &Composer::readyChanged, this, &Chat::canSendChanged);
    connect(m_services.composer, &Composer::sendRequested, this, &Chat::send);
    connect(this, &Chat::statusChanged, this, &Chat::canSendChanged);
}

Chat::~Chat()
{
    m_services.turns->setListener(nullptr);
}

TurnOptions Chat::options() const
{
    const Settings settings = m_services.settings();
    const std::vector<std::string> names = m_tools.on();
    return {.thinking = settings.thinking,
            .sampling = settings.sampling,
            .maxNewTokens = settings.maxNewTokens,
            .toolsJson = m_services.tools->declarations(names),
            .tools = names};
}

void Chat::follow(TurnId turn)
{
    m_turn = turn;
    m_status = {};
    const TurnState state = m_services.turns->stateOf(turn);
    m_stage = state.stage;
    if (turn != 0) // it may have told of itself before it was in view
        m_status.update(state, TurnText::Clock::now());
    emit statusChanged();
}

void Chat::open(qint64 conversation)
{
    openWith(conversation, {}, &Chat::load);
}

void Chat::openWith(ConversationId conversation, Wanted wanted, Load how)
{
    for (auto &[turn, live] : m_live)
        live.hide();
    const bool leaves = temporary() && !empty() && conversation != m_conversation;
    m_services.composer->show(conversation);
    if (m_newChatTurn != 0) // what was switched on for it is not for the next new chat
        m_services.toolChoices->adopt(placeOf(m_newChatTurn));
    m_conversation = conversation;
    m_newChatTurn = 0;
    m_wanted = std::move(wanted);
    follow(conversation == 0 ? 0 : m_services.turns->turnIn(conversation));
    if (conversation == 0) {
        ++m_question;
        showRows({});
    } else {
        reload(std::nullopt, std::move(how));
    }
    emit conversationChanged();
    m_tools.show(conversation);
    if (leaves)
        emit leftTemporary();
}

void Chat::reload(std::optional<ConversationId> otherwise, Load how)
{
    const quint64 question = ++m_question;
    m_rowsOf.reset();
    emit canSendChanged();
    store().ask(
        [how = std::move(how), id = m_conversation](ConversationStore &store) { return how(store, id); },
        [self = QPointer(this), question, otherwise](Result<Loaded> loaded) {
            if (!self || question != self->m_question)
                return;
            if (loaded) {
                self->showRows(*std::move(loaded));
                return;
            }
            self->m_rowsOf = otherwise;
            emit self->canSendChanged();
            self->report(loaded.error());
        });
}

void Chat::showRows(Loaded loaded)
{
    m_path.reset(std::move(loaded.outline.path), std::move(loaded.read));
    m_toRead.clear();
    m_later = std::move(loaded.later);
    m_foundMessage = 0;
    std::vector<TranscriptRow> rows = std::move(loaded.rows);
    LiveReply *live = liveIn(m_conversation);
    if (live && m_path.last() == live->message()) {
        // The store has it as of the last checkpoint; we know more.
        m_path.popLast();
        std::erase_if(rows, [live](const TranscriptRow &row) { return row.message == live->message(); });
    }
    // While its turn goes on, there is nothing to be done with an answer that only calls tools.
    const StoredMessage *calling = busy() ? unanswered(m_path.lastNoResult()) : nullptr;
    if (calling && !rows.empty() && rows.back().kind == RowKind::Actions &&
        rows.back().message == calling->id)
        rows.pop_back();
    m_transcript.reset(std::move(rows));
    if (live)
        live->show(m_transcript);
    for (const auto &[turn, call] : m_calls)
        m_transcript.setStep(call.message, call.index, call.step);
    m_rowsOf = m_conversation;
    setTitle(m_conversation, QString::fromStdString(loaded.outline.title));
    emit emptyChanged();
    emit canSendChanged();
    showFound(std::exchange(m_wanted, {}));
    showLater();
}

void Chat::showFound(const Wanted &wanted)
{
    const int row = wanted.message == 0 ? -1 : m_transcript.rowWith(wanted.message, wanted.words);
    m_transcript.mark(row >= 0 ? wanted.message : 0, wanted.words);
    if (row < 0) {
        emit shown();
        return;
    }
    m_foundMessage = wanted.message;
    m_transcript.setExpanded(row, true); // what is folded away can't be seen
    emit found(row);
}

LiveReply *Chat::liveIn(ConversationId conversation)
{
    const auto live = std::ranges::find_if(
        m_live, [conversation](const auto &entry) { return entry.second.conversation() == conversation; });
    return live == m_live.end() ? nullptr : &live->second;
}

void Chat::send()
{
    if (!canSend())
        return;
    const MessageId parent = m_path.last();
    Message message = m_services.composer->take();
    const TurnId turn = m_services.turns->start(
        {.conversation = m_conversation, .parent = parent, .message = message, .options = options()});
    m_unstored.emplace(turn, Unstored{.conversation = m_conversation, .message = std::move(message)});
    if (m_conversation == 0)
        m_newChatTurn = turn;
    follow(turn);
    emit emptyChanged();
}

void Chat::stop()
{
    m_services.turns->stop(m_turn);
}

void Chat::decide(qint64 message, int call, int answer)
{
    const auto asking = m_calls.find(m_turn);
    if (asking == m_calls.end() || asking->second.message != message || asking->second.index != call)
        return;
    m_services.turns->approve(m_turn, approvalOf(answer));
}

void Chat::answerAgain(qint64 reply)
{
    const MessageHead *old = m_path.head(reply);
    if (!old || busy() || !rowsShown())
        return;
    follow(m_services.turns->retry(m_conversation, old->parent, options()));
}

void Chat::answer(qint64 question)
{
    if (changeable(question))
        follow(m_services.turns->retry(m_conversation, question, options()));
}

void Chat::goOn(qint64 reply)
{
    const StoredMessage *cut = changeable(reply);
    if (!cut || !canGoOn(*cut))
        return;
    TurnOptions how = options();
    // As it began: who doesn't think can't go on with a thought.
    how.thinking =
        cut->stats ? cut->stats->thinking : std::ranges::any_of(cut->message.parts, [](const Part &part) {
            return std::holds_alternative<ThinkingPart>(part);
        });
    follow(m_services.turns->goOn(m_conversation, reply, how));
}

void Chat::copyMessage(qint64 message) const
{
    const StoredMessage *found = m_path.message(message);
    if (found && rowsShown())
        copyText(ui::copyText(found->message));
}

void Chat::copyText(const QString &text) const
{
    QGuiApplication::clipboard()->setText(text);
}

void Chat::openLink(const QString &url) const
{
    if (isSafeLink(url))
        QDesktopServices::openUrl(QUrl(url));
}

void Chat::forget(ConversationId conversation)
{
    if (conversation == m_conversation)
        openNew();
}

void Chat::setTitle(ConversationId conversation, const QString &title)
{
    if (conversation != m_conversation || title == m_title)
        return;
    m_title = title;
    emit titleChanged();
}

void Chat::engineChanged(const EngineState &state)
{
    m_services.engine->show(state);
}

void Chat::turnChanged(TurnId turn, const TurnState &state)
{
    if (state.stage == TurnState::Stage::Finished)
        forgetCall(turn);
    if (turn != m_turn)
        return;
    m_stage = state.stage;
    m_status.update(state, TurnText::Clock::now());
    if (state.stage == TurnState::Stage::Finished) {
        m_unstored.erase(turn);
        m_turn = 0;
        showActions();
        emit emptyChanged();
    }
    emit statusChanged();
}

/// Its turn is over, whatever became of the call: it neither asks nor runs any more.
void Chat::forgetCall(TurnId turn)
{
    const auto call = m_calls.extract(turn);
    if (call && rowsShown())
        m_transcript.setStep(call.mapped().message, call.mapped().index, ToolCallStep::None);
}

/// The actions of an answer that called tools and that no other answer followed.
void Chat::showActions()
{
    const StoredMessage *reply = rowsShown() ? unanswered(m_path.lastNoResult()) : nullptr;
    const int count = m_transcript.count();
    if (!reply || (count > 0 && m_transcript.row(count - 1).kind == RowKind::Actions))
        return;
    m_transcript.replaceFrom(count, {actionsRow(*reply)});
}

void Chat::messageStored(TurnId turn, ConversationId conversation, const StoredMessage &message)
{
    if (const auto sent = m_unstored.extract(turn)) {
        m_services.composer->forgetPasted(sent.mapped().message);
        if (sent.mapped().conversation == 0)
            m_services.toolChoices->adopt(conversation, turn == m_newChatTurn ? 0 : placeOf(turn));
    }
    if (turn == m_newChatTurn) {
        m_newChatTurn = 0;
        m_conversation = conversation;
        m_rowsOf = conversation;
        m_services.composer->adopt(conversation);
        m_tools.show(conversation);
        // What was begun meanwhile went with it, and is no draft of the next new chat.
        m_services.storeOf(0).run([](ConversationStore &store) { (void)store.saveDraft(0, {}); });
        emit conversationChanged();
    }
    if (m_rowsOf == conversation) {
        dropAfter(message.parent); // what it was edited from
        m_transcript.mark(0, {});
        m_foundMessage = 0;
        m_path.push(message);
        m_transcript.replaceFrom(m_transcript.count(), rowsOf(message));
        emit emptyChanged();
        emit sent();
    }
    if (isTemporary(conversation))
        fetchTitle(conversation);
    emit listChanged();
}

void Chat::dropAfter(MessageId parent)
{
    const MessageId firstGone = m_path.dropAfter(parent);
    if (firstGone == 0)
        return;
    int row = m_transcript.count();
    while (row > 0 && m_transcript.row(row - 1).message >= firstGone)
        --row; // a path's ids grow
    m_transcript.replaceFrom(row, {});
}

void Chat::replyBegan(TurnId turn, ConversationId conversation, const StoredMessage &reply)
{
    LiveReply &live = m_live.emplace(turn, LiveReply(conversation, reply.id)).first->second;
    live.add(eventsOf(reply.message), LiveReply::Clock::now()); // what it goes on from
    if (m_rowsOf != conversation)
        return;
    dropAfter(reply.parent); // the answer that this one is to replace
    live.show(m_transcript);
    emit sent();
}

void Chat::replyGrew(TurnId turn, MessageId, const std::vector<ReplyEvent> &events)
{
    if (const auto live = m_live.find(turn); live != m_live.end())
        live->second.add(events, LiveReply::Clock::now());
}

void Chat::replyFinished(TurnId turn, ConversationId conversation, const StoredMessage &reply)
{
    if (const auto live = m_live.find(turn); live != m_live.end()) {
        live->second.finish(reply, LiveReply::Clock::now());
        m_live.erase(live);
    }
    if (m_rowsOf == conversation) {
        m_path.push(reply);
        emit announced(reply.state == MessageState::Complete ? tr("The answer is complete.")
                                                             : QString::fromStdString(reply.note));
    }
    emit listChanged();
}

void Chat::callChanged(TurnId turn, MessageId reply, std::size_t call, CallState state)
{
    const Call now{.message = reply, .index = static_cast<int>(call), .step = stepOf(state)};
    if (state == CallState::Asking || state == CallState::Running)
        m_calls[turn] = now;
    else
        m_calls.erase(turn);
    if (rowsShown())
        m_transcript.setStep(now.message, now.index, now.step);
    if (state == CallState::Asking && turn == m_turn)
        emit announced(tr("A tool waits for your decision."));
}

void Chat::resultStored(TurnId, ConversationId conversation, const StoredMessage &result)
{
    if (m_rowsOf != conversation)
        return;
    const std::string tool = toolOf(m_path.lastNoResult(), result.message);
    m_path.push(result);
    m_transcript.replaceFrom(m_transcript.count(), rowsOf(result, tool));
}

void Chat::storeFailed(TurnId turn, const Error &error)
{
    const auto unstored = m_unstored.find(turn);
    if (unstored != m_unstored.end()) {
        m_services.composer->putBack(unstored->second.conversation, unstored->second.message);
        m_unstored.erase(unstored);
        if (turn == m_newChatTurn)
            m_newChatTurn = 0;
        else
            m_services.toolChoices->adopt(0,
                                          placeOf(turn)); // where it comes back to, if nothing else is there
        m_tools.show(m_conversation);
        emit emptyChanged();
    }
    report(error);
}

void Chat::titled(ConversationId conversation, const std::string &title)
{
    setTitle(conversation, QString::fromStdString(title));
    emit listChanged();
}

void Chat::report(const Error &error)
{
    if (error.code == ErrorCode::NoSpace)
        emit diskFull();
    else
        emit failed(QString::fromStdString(error.message));
}

} // namespace perilune::ui
