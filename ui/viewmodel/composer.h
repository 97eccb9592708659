#pragma once

#include "app/turn/store_thread.h"
#include "ui/viewmodel/attachment_model.h"
#include "ui/viewmodel/draft_merge.h"

#include <QPointer>
#include <QTimer>
#include <QUrl>

#include <map>
#include <memory>

namespace perilune::ui {

/// Runs `job` away from the GUI thread, then `then` on it.
using InBackground = std::function<void(std::function<void()> job, std::function<void()> then)>;

/// What is being written: text and attachments of the conversation in view. Each conversation has a draft of
/// its own, saved as it is typed.
class Composer : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.composer")
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY textChanged)
    Q_PROPERTY(perilune::ui::AttachmentModel *attachments READ attachments CONSTANT)
    Q_PROPERTY(bool ready READ ready NOTIFY readyChanged)

public:
    struct Services {
        std::function<StoreThread &(ConversationId)> storeOf;
        Attach attach;
        InBackground inBackground;
        QString temporaryFolder; ///< for what is pasted into chats that leave no trace; empty: there is none
    };

    explicit Composer(Services services, QObject *parent = nullptr);
    ~Composer() override;

    QString text() const { return m_text; }
    void setText(const QString &text);
    AttachmentModel *attachments() { return &m_attachments; }
    /// There is something to send, and all of it is read.
    bool ready() const;

    /// Attaches files; what is no picture or clip is told by refused().
    Q_INVOKABLE void addFiles(const QList<QUrl> &urls);
    /// Attaches the pictures or files of the clipboard. False where it has none, so that text is pasted.
    Q_INVOKABLE bool pasteMedia();
    /// Attaches one of the files that come with the program (none where `file` is empty) and writes a
    /// question.
    Q_INVOKABLE void trySample(const QString &file, const QString &question);
    /// For the Return key: asks to send and returns true, unless it is to begin a line or belongs to an
    /// input method.
    Q_INVOKABLE bool handleReturn(bool shift, bool composing);

    /// Saves the draft of the conversation in view and shows that of `conversation` (0: a new chat).
    void show(ConversationId conversation);
    /// The new chat in view has become `conversation`; the draft stays.
    void adopt(ConversationId conversation);
    /// Hands out what is written, as a message, and empties the draft.
    Message take();
    /// Removes the files of pictures that were pasted into `message`: the store has its own copies by now.
    void forgetPasted(const Message &message);
    /// Removes the file where it was pasted: the person took it out again.
    void forgetPasted(const MediaPart &part);
    /// Removes what was pasted a week ago or earlier and is in no draft: a program that ended at the wrong
    /// moment left it.
    void tidyPasted();
    /// Puts what take() gave before whatever `conversation` has as its draft by now, in view or not.
    void putBack(ConversationId conversation, const Message &message);
    /// Saves what is not saved yet.
    void flush();
    /// Saves what could not be saved for want of space.
    void saveAgain();

signals:
    void textChanged();
    /// The text is another one, not one that was edited: the cursor belongs at its end.
    void replaced();
    void readyChanged();
    void sendRequested();
    void refused(const QString &sentence);
    /// A draft could not be saved for want of space; it is kept here.
    void diskFull();

private:
    void changed();
    void saveSoon();
    /// What is asked of the store for a conversation that was just opened.
    struct Coming {
        ConversationId of = 0;
        bool sent = false; ///< something was sent before it came, which clears the stored one
    };

    /// A conversation in view, for what ends after another one has taken its place.
    struct Visit {
        ConversationId conversation = 0; ///< as it is by now: a new chat becomes a conversation
        int pasting = 0;                 ///< pictures of the clipboard that are still being written
    };

    void pasted(const std::shared_ptr<Visit> &visit, const QString &path, bool written);
    void tellReady();
    void fetch();
    void arrived(const std::shared_ptr<Coming> &coming, const Result<Draft> &stored);
    /// Shows a stored draft.
    void load(const Draft &draft);
    /// Shows what is still to be saved.
    void fill(const Draft &draft);
    Draft current() const;
    /// A folder for pictures of the clipboard; the store copies them once they are sent.
    QString pastedFolder() const;
    StoreThread &store() const { return m_services.storeOf(m_conversation); }
    void save(ConversationId conversation, const Draft &draft);
    void notSaved(ConversationId conversation, const Draft &draft, bool sameVisit, const Error &error);
    /// Adds to the draft of a conversation that is not in view, or whose draft is still to come.
    void giveBack(ConversationId conversation, const Draft &draft, Place place);
    bool empty() const { return m_text.isEmpty() && m_attachments.count() == 0; }

    Services m_services;
    AttachmentModel m_attachments;
    QTimer m_saveTimer;
    QString m_text;
    ConversationId m_conversation = 0;
    std::shared_ptr<Visit> m_visit = std::make_shared<Visit>();
    std::shared_ptr<Coming> m_coming;        ///< null once the draft in view is there
    std::map<ConversationId, Draft> m_stuck; ///< what could not be added to a draft, for want of space
    std::map<ConversationId, Draft>
        m_newest; ///< drafts not in view that could not be saved in place of the stored
    bool m_wasReady = false;
    bool m_unsaved = false;
    bool m_loading = false; ///< what changes now is not typed
};

} // namespace perilune::ui
