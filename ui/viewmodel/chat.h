#pragma once

#include "app/settings.h"
#include "app/turn/store_thread.h"
#include "app/turn/turn_runner.h"
#include "ui/viewmodel/chat_path.h"
#include "ui/viewmodel/composer.h"
#include "ui/viewmodel/engine_status.h"
#include "ui/viewmodel/live_reply.h"
#include "ui/viewmodel/tool_list.h"
#include "ui/viewmodel/transcript_model.h"
#include "ui/viewmodel/turn_text.h"

#include <functional>
#include <map>
#include <optional>

namespace perilune::ui {

/// The conversation in view: its rows, sending, stopping, answering again. Answers of other conversations go
/// on while it is elsewhere, and are shown as far as they are when it comes back.
class Chat : public QObject, public TurnListener {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.chat")
    Q_PROPERTY(perilune::ui::TranscriptModel *transcript READ transcript CONSTANT)
    Q_PROPERTY(qint64 conversation READ conversation NOTIFY conversationChanged)
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(bool empty READ empty NOTIFY emptyChanged)
    Q_PROPERTY(bool temporary READ temporary NOTIFY conversationChanged)
    Q_PROPERTY(bool busy READ busy NOTIFY statusChanged)
    Q_PROPERTY(bool writing READ writing NOTIFY statusChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    Q_PROPERTY(QString status READ status NOTIFY statusChanged)
    Q_PROPERTY(double progress READ progress NOTIFY statusChanged)
    Q_PROPERTY(bool tools READ tools NOTIFY toolsChanged)
    Q_PROPERTY(perilune::ui::ToolList *toolList READ toolList CONSTANT)

public:
    struct Services {
        std::function<StoreThread &(ConversationId)> storeOf;
        TurnRunner *turns = nullptr;
        Composer *composer = nullptr;
        EngineStatus *engine = nullptr;
        std::function<Settings()> settings;  ///< as they are now
        const ToolRegistry *tools = nullptr; ///< those that may be switched on
        ToolChoices *toolChoices = nullptr;
    };

    explicit Chat(Services services, QObject *parent = nullptr);
    ~Chat() override;

    TranscriptModel *transcript() { return &m_transcript; }
    qint64 conversation() const { return m_conversation; }
    QString title() const { return m_title; }
    bool empty() const
    {
        return m_conversation == 0 ? m_newChatTurn == 0
                                   : temporary() && m_turn == 0 && m_transcript.count() == 0;
    }
    /// Nothing of this chat is ever on the disk.
    bool temporary() const { return isTemporary(m_conversation); }
    /// A turn runs or waits in this conversation.
    bool busy() const { return m_turn != 0; }
    bool writing() const { return m_stage == TurnState::Stage::Writing; }
    bool canSend() const { return rowsShown() && !busy() && m_services.composer->ready(); }
    QString status() const { return m_status.text(); }
    double progress() const { return m_status.progress(); }
    /// Whether the model may call tools in this conversation.
    bool tools() const { return !m_tools.on().empty(); }
    ToolList *toolList() { return &m_tools; }
    /// Switches the usual tools on, or all of them off.
    void setTools(bool on) { m_tools.setOn(on); }

    /// Shows a conversation; 0: a new chat.
    Q_INVOKABLE void open(qint64 conversation);
    Q_INVOKABLE void openNew() { open(0); }
    /// Begins a chat that leaves no trace on the disk; the one before it goes.
    Q_INVOKABLE void openTemporary();
    /// Makes the temporary chat in view one that is kept.
    Q_INVOKABLE void keepTemporary();
    /// Shows the temporary chat that was left last, if it is still there.
    void returnToTemporary();
    Q_INVOKABLE void send();
    Q_INVOKABLE void stop();
    /// The person's answer where a call asks; `answer` is a ToolCallStep::Answer. Ignored where that call
    /// doesn't ask any more.
    Q_INVOKABLE void decide(qint64 message, int call, int answer);
    /// Another answer in place of `reply`; the old one stays as a branch.
    Q_INVOKABLE void answerAgain(qint64 reply);
    /// Another answer to a question.
    Q_INVOKABLE void answer(qint64 question);
    /// Goes on with an answer that was cut off, as a branch that begins with its words.
    Q_INVOKABLE void goOn(qint64 reply);
    /// Shows the message before (-1) or after (1) `message` among its siblings.
    Q_INVOKABLE void showBranch(qint64 message, int step);
    /// The words of a message, to be edited; thoughts left out.
    Q_INVOKABLE QString wordsOf(qint64 message) const;
    Q_INVOKABLE bool isFromPerson(qint64 message) const;
    /// The last message of the person (or, with `answers`, of the model) in view; 0 where there is none.
    Q_INVOKABLE qint64 lastMessage(bool answers) const;
    /// Puts the message with other words beside it, as a branch. What a person says is answered anew.
    Q_INVOKABLE void edit(qint64 message, const QString &words);
    /// Opens a new chat with the messages up to `message`.
    Q_INVOKABLE void fork(qint64 message);
    /// The message and what follows it into the bin; removed() follows.
    Q_INVOKABLE void removeMessage(qint64 message);
    /// All branches but the one in view into the bin; removed() follows.
    Q_INVOKABLE void keepOnlyThis();
    /// Takes back what removeMessage() or keepOnlyThis() did last.
    void undoRemove();
    /// Shows a conversation at a message that was searched for by `words`; found() follows.
    Q_INVOKABLE void openAt(qint64 conversation, qint64 message, const QString &words);
    /// A message that isn't read yet is looked at: it is read, with its neighbours.
    Q_INVOKABLE void read(qint64 message);
    /// How many messages of the conversation in view have their words in memory.
    std::size_t readCount() const { return m_path.readCount(); }
    Q_INVOKABLE void copyMessage(qint64 message) const;
    Q_INVOKABLE void copyText(const QString &text) const;
    /// Opens a link of an answer on the desktop; only what isSafeLink() takes.
    Q_INVOKABLE void openLink(const QString &url) const;
    /// A conversation was removed: if it is in view, a new chat takes its place.
    void forget(ConversationId conversation);
    void setTitle(ConversationId conversation, const QString &title);

    // TurnListener
    void engineChanged(const EngineState &state) override;
    void turnChanged(TurnId turn, const TurnState &state) override;
    void messageStored(TurnId turn, ConversationId conversation, const StoredMessage &message) override;
    void replyBegan(TurnId turn, ConversationId conversation, const StoredMessage &reply) override;
    void replyGrew(TurnId turn, MessageId reply, const std::vector<ReplyEvent> &events) override;
    void replyFinished(TurnId turn, ConversationId conversation, const StoredMessage &reply) override;
    void callChanged(TurnId turn, MessageId reply, std::size_t call, CallState state) override;
    void resultStored(TurnId turn, ConversationId conversation, const StoredMessage &result) override;
    void storeFailed(TurnId turn, const Error &error) override;
    void titled(ConversationId conversation, const std::string &title) override;

signals:
    void conversationChanged();
    void titleChanged();
    void emptyChanged();
    void statusChanged();
    void canSendChanged();
    void toolsChanged();
    /// What the view shows was replaced; go to its end.
    void shown();
    /// What was searched for is in view from row `row` on.
    void found(int row);
    /// Messages are in the bin; undoRemove() brings them back.
    void removed(const QString &sentence);
    /// The person sent something; go to its end.
    void sent();
    /// Conversations came, went or moved in the list.
    void listChanged();
    void failed(const QString &sentence);
    /// Something could not be written for want of space; nothing is lost.
    void diskFull();
    /// The temporary chat is not in view any more; returnToTemporary() brings it back.
    void leftTemporary();
    void announced(const QString &sentence);

private:
    /// All rows of a message.
    struct MessageRows {
        MessageId message = 0;
        std::vector<TranscriptRow> rows;
    };
    struct Loaded {
        PathOutline outline;
        std::vector<StoredMessage> read; ///< those of it that were read
        std::vector<TranscriptRow> rows;
        std::vector<MessageRows> later; ///< what is to be put into them bit by bit, the last first
    };
    struct Wanted {
        MessageId message = 0;
        QString words;
    };
    static Result<Loaded> load(ConversationStore &store, ConversationId id);
    /// The same, read around `wanted`, too.
    static Result<Loaded> loadAt(ConversationStore &store, ConversationId id, MessageId wanted);
    StoreThread &store() const { return m_services.storeOf(m_conversation); }
    void report(const Error &error);
    /// The rows in view, and m_path, are those of m_conversation; else they are still fetched.
    bool rowsShown() const { return m_rowsOf == m_conversation; }
    /// Shows what `how` gives; where it fails, the rows in view are those of `otherwise`.
    using Load = std::function<Result<Loaded>(ConversationStore &, ConversationId)>;
    void reload(std::optional<ConversationId> otherwise, Load how);
    void openWith(ConversationId conversation, Wanted wanted, Load how);
    void showRows(Loaded loaded);
    void showFound(const Wanted &wanted);
    void readNext();
    static std::vector<MessageRows> readChunk(ConversationStore &store, std::span<const MessageHead> heads,
                                              Role next, std::vector<StoredMessage> &read);
    void showChunk(MessageId asked, Loaded loaded);
    void showLater();
    void showNext();
    void forgetFar();
    /// Shows the rows of `messages`, neighbours in the path, as `rows` from now on.
    void replaceRows(std::span<const MessageId> messages, std::vector<TranscriptRow> rows);
    void dropAfter(MessageId parent);
    /// Of a chat that no list has.
    void fetchTitle(ConversationId conversation);
    /// The message of the path in view that can be changed now; null where there is none.
    const StoredMessage *changeable(qint64 message) const;
    void follow(TurnId turn);
    void forgetCall(TurnId turn);
    void showActions();
    TurnOptions options() const;
    LiveReply *liveIn(ConversationId conversation);

    Services m_services;
    TranscriptModel m_transcript;
    ToolList m_tools;
    ConversationId m_conversation = 0;      ///< in view, or asked for
    std::optional<ConversationId> m_rowsOf; ///< whose rows the transcript has; none while they are fetched
    QString m_title;
    ChatPath m_path;                  ///< without the answer that is being written
    std::vector<MessageId> m_toRead;  ///< messages that are looked at, one of a chunk, the last asked last
    MessageId m_reading = 0;          ///< the one whose chunk is being read; 0: none
    std::vector<MessageRows> m_later; ///< read, not among the rows yet; the last comes next
    bool m_laterComes = false;        ///< showNext() was asked for
    MessageId m_near = 0;             ///< the message that was looked at last

    TurnId m_turn = 0; ///< of the conversation in view
    TurnState::Stage m_stage = TurnState::Stage::Finished;
    TurnText m_status;
    std::map<TurnId, LiveReply> m_live;
    struct Call {
        MessageId message = 0;
        int index = 0;
        ToolCallStep::Value step = ToolCallStep::None;
    };
    std::map<TurnId, Call> m_calls; ///< that ask or run
    struct Unstored {
        ConversationId conversation = 0; ///< 0: the new chat that it was sent from
        Message message;
    };
    std::map<TurnId, Unstored> m_unstored; ///< sent, not on disk yet
    std::vector<MessageId> m_removed;      ///< what undoRemove() brings back
    ConversationId m_removedFrom = 0;
    MessageId m_foundMessage = 0;   ///< what was searched for, in view
    Wanted m_wanted;                ///< to be shown once its conversation is there
    ConversationId m_temporary = 0; ///< the temporary chat that is there; 0: none
    TurnId m_newChatTurn = 0;       ///< will make the new chat in view a conversation
    quint64 m_question = 0;         ///< counts the questions to the store; only the last answer counts
};

} // namespace perilune::ui
