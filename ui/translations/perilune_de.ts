<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>ActionsBlock</name>
    <message>
        <source>Copy answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>Antwort bearbeiten</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Neuer Chat ab hier</translation>
    </message>
    <message>
        <source>Keep only this branch</source>
        <translation>Nur diesen Zweig behalten</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>Ab hier löschen</translation>
    </message>
    <message>
        <source>About this answer…</source>
        <translation>Über diese Antwort …</translation>
    </message>
</context>
<context>
    <name>AnswerParameters</name>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>How freely words are chosen. 0 always takes the most likely one; higher is more varied and less exact.</source>
        <translation>Wie frei Wörter gewählt werden. 0 nimmt immer das wahrscheinlichste; höher ist abwechslungsreicher und ungenauer.</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Leaves out unlikely words: the most likely ones that together reach this share stay. 1 keeps all.</source>
        <translation>Lässt unwahrscheinliche Wörter weg: Die wahrscheinlichsten, die zusammen diesen Anteil erreichen, bleiben. 1 behält alle.</translation>
    </message>
    <message>
        <source>Min p</source>
        <translation>Min p</translation>
    </message>
    <message>
        <source>Leaves out words that are less likely than this share of the most likely one. 0 keeps all.</source>
        <translation>Lässt Wörter weg, die weniger wahrscheinlich sind als dieser Anteil des wahrscheinlichsten. 0 behält alle.</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>At most this many words are considered at a time. 0 considers all.</source>
        <translation>Höchstens so viele Wörter kommen jeweils in Betracht. 0: alle.</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>In tokens, thinking included; a token is about three quarters of an English word. Longer answers are cut there.</source>
        <translation>In Token, das Denken eingeschlossen; ein Token ist etwa drei Viertel eines englischen Wortes. Längere Antworten werden dort abgeschnitten.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Show what the model sees</source>
        <translation>Zeigen, was das Modell sieht</translation>
    </message>
</context>
<context>
    <name>AttachmentModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>%1–%2 of %3 s</source>
        <translation>%1–%2 von %3 s</translation>
    </message>
    <message>
        <source>Animation</source>
        <translation>Animation</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>Reading… %1 %</source>
        <translation>Wird gelesen … %1 %</translation>
    </message>
    <message>
        <source>%1 is neither a picture nor a clip.</source>
        <translation>%1 ist weder ein Bild noch ein Clip.</translation>
    </message>
</context>
<context>
    <name>BranchSwitch</name>
    <message>
        <source>Branch %1 of %2</source>
        <translation>Zweig %1 von %2</translation>
    </message>
    <message>
        <source>The branch before</source>
        <translation>Der Zweig davor</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>The branch after</source>
        <translation>Der Zweig danach</translation>
    </message>
</context>
<context>
    <name>Chat</name>
    <message>
        <source>The answer is complete.</source>
        <translation>Die Antwort ist fertig.</translation>
    </message>
    <message>
        <source>A tool waits for your decision.</source>
        <translation>Ein Werkzeug wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <source>The message is in the bin, with what followed it.</source>
        <translation>Die Nachricht ist im Papierkorb, mit allem, was folgte.</translation>
    </message>
    <message>
        <source>The other branches are in the bin.</source>
        <translation>Die anderen Zweige sind im Papierkorb.</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Show conversations</source>
        <translation>Chats zeigen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>Vorübergehend</translation>
    </message>
    <message>
        <source>A chat that is never written to the disk</source>
        <translation>Ein Chat, der nie auf die Festplatte geschrieben wird</translation>
    </message>
    <message>
        <source>Keep this chat</source>
        <translation>Diesen Chat behalten</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Attach pictures and clips</source>
        <translation>Bilder und Clips anhängen</translation>
    </message>
    <message>
        <source>Pictures and clips (%1)</source>
        <translation>Bilder und Clips (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>ChoiceRow</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>ChoicesPane</name>
    <message>
        <source>Part</source>
        <translation>Ausschnitt</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>What would you like to do?</source>
        <translation>Was möchten Sie tun?</translation>
    </message>
    <message>
        <source>Search the commands</source>
        <translation>Befehle durchsuchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>There is no such command.</source>
        <translation>Einen solchen Befehl gibt es nicht.</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Search the chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Next chat in the list</source>
        <translation>Nächster Chat der Liste</translation>
    </message>
    <message>
        <source>Previous chat in the list</source>
        <translation>Voriger Chat der Liste</translation>
    </message>
    <message>
        <source>Show or hide the list of chats</source>
        <translation>Liste der Chats zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Attach pictures and clips</source>
        <translation>Bilder und Clips anhängen</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
    <message>
        <source>Answer the last message again</source>
        <translation>Letzte Nachricht noch einmal beantworten</translation>
    </message>
    <message>
        <source>Edit my last message</source>
        <translation>Meine letzte Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>Zum Ende gehen</translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation>Diesen Chat exportieren</translation>
    </message>
    <message>
        <source>Thinking on or off</source>
        <translation>Denken ein oder aus</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>Alle Befehle</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größere Schrift</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinere Schrift</translation>
    </message>
    <message>
        <source>Text in its usual size</source>
        <translation>Schrift in üblicher Größe</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>A shortcut needs Ctrl, Alt or a function key: the others write.</source>
        <translation>Ein Tastenkürzel braucht Strg, Alt oder eine Funktionstaste: Die anderen Tasten schreiben.</translation>
    </message>
    <message>
        <source>%1 is needed for writing.</source>
        <translation>%1 wird zum Schreiben gebraucht.</translation>
    </message>
    <message>
        <source>%1 is taken by “%2”.</source>
        <translation>%1 gehört schon zu „%2“.</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Only files of this computer can be attached, not %1.</source>
        <translation>Nur Dateien dieses Computers können angehängt werden, nicht %1.</translation>
    </message>
    <message>
        <source>Pasted %1.png</source>
        <translation>Eingefügt %1.png</translation>
    </message>
    <message>
        <source>The picture of the clipboard could not be read.</source>
        <translation>Das Bild der Zwischenablage konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>This system has no place in memory for pictures, so none can be pasted into a temporary chat.</source>
        <translation>Dieses System hat im Arbeitsspeicher keinen Platz für Bilder; in einen vorübergehenden Chat lässt sich keins einfügen.</translation>
    </message>
</context>
<context>
    <name>ComposerBar</name>
    <message>
        <source>Attachments</source>
        <translation>Anhänge</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>Fragen Sie etwas</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Attach pictures and clips</source>
        <translation>Bilder und Clips anhängen</translation>
    </message>
    <message>
        <source>Think first</source>
        <translation>Erst denken</translation>
    </message>
    <message>
        <source>Which tools the model may ask to use in this chat</source>
        <translation>Welche Werkzeuge das Modell in diesem Chat benutzen darf</translation>
    </message>
    <message>
        <source>Answers can be wrong. Enter sends, Shift+Enter begins a line.</source>
        <translation>Antworten können falsch sein. Eingabe sendet, Umschalt+Eingabe beginnt eine Zeile.</translation>
    </message>
</context>
<context>
    <name>ConversationListModel</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
</context>
<context>
    <name>ConversationRow</name>
    <message>
        <source>What to do with “%1”</source>
        <translation>Was mit „%1“ geschehen soll</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Neuer Name</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Nicht mehr anheften</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>Schlagwörter …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Back from the archive</source>
        <translation>Aus dem Archiv zurück</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>About this answer</source>
        <translation>Über diese Antwort</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DialogFrame</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DiskFullBar</name>
    <message>
        <source>The disk is full.</source>
        <translation>Die Festplatte ist voll.</translation>
    </message>
    <message>
        <source>Nothing is lost: what you write and what is being answered waits in memory, and is saved by itself as soon as there is space. Keep Perilune open, and free some space where %1 is.</source>
        <translation>Nichts ist verloren: Was Sie schreiben und was geantwortet wird, wartet im Arbeitsspeicher und wird von selbst gespeichert, sobald Platz ist. Lassen Sie Perilune offen und schaffen Sie Platz, wo %1 liegt.</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop pictures and clips here</source>
        <translation>Bilder und Clips hier ablegen</translation>
    </message>
</context>
<context>
    <name>EditDialog</name>
    <message>
        <source>Edit your message</source>
        <translation>Ihre Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>Antwort bearbeiten</translation>
    </message>
    <message>
        <source>The message</source>
        <translation>Die Nachricht</translation>
    </message>
    <message>
        <source>What you wrote before stays as a branch, with its answers.</source>
        <translation>Was Sie vorher schrieben, bleibt als Zweig, mit seinen Antworten.</translation>
    </message>
    <message>
        <source>The answer as it was stays as a branch.</source>
        <translation>Die Antwort, wie sie war, bleibt als Zweig.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What would you like to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Write a message, or drop a picture or a short clip anywhere in this window. Everything stays on this computer.</source>
        <translation>Schreiben Sie eine Nachricht, oder ziehen Sie ein Bild oder einen kurzen Clip irgendwo in dieses Fenster. Alles bleibt auf diesem Computer.</translation>
    </message>
    <message>
        <source>Describe a picture</source>
        <translation>Ein Bild beschreiben</translation>
    </message>
    <message>
        <source>A sample with two shapes</source>
        <translation>Beispiel mit zwei Formen</translation>
    </message>
    <message>
        <source>Describe the image.</source>
        <translation>Describe the image.</translation>
    </message>
    <message>
        <source>Follow a clip</source>
        <translation>Einen Clip verfolgen</translation>
    </message>
    <message>
        <source>A sample with a moving circle</source>
        <translation>Beispiel mit einem Kreis</translation>
    </message>
    <message>
        <source>What happens in the video?</source>
        <translation>What happens in the video?</translation>
    </message>
    <message>
        <source>Just talk</source>
        <translation>Einfach reden</translation>
    </message>
    <message>
        <source>Ask what it can do</source>
        <translation>Fragen, was es kann</translation>
    </message>
    <message>
        <source>What can you do?</source>
        <translation>What can you do?</translation>
    </message>
    <message>
        <source>A chat that leaves no trace</source>
        <translation>Ein Chat, der keine Spur hinterlässt</translation>
    </message>
    <message>
        <source>What is said here is never written to the disk, and gone when Perilune closes or you begin another temporary chat. You can still decide to keep it.</source>
        <translation>Was hier gesagt wird, kommt nie auf die Festplatte und ist fort, wenn Perilune schließt oder Sie einen weiteren vorübergehenden Chat beginnen. Behalten können Sie ihn immer noch.</translation>
    </message>
</context>
<context>
    <name>EngineCard</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>EngineStatus</name>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Loads with the first message</source>
        <translation>Wird mit der ersten Nachricht geladen</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export “%1”</source>
        <translation>„%1“ exportieren</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Als</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Text, with a folder of its pictures beside it</source>
        <translation>Text, mit einem Ordner seiner Bilder daneben</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>One page for any browser, pictures inside</source>
        <translation>Eine Seite für jeden Browser, Bilder inbegriffen</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Pages to print and to send</source>
        <translation>Seiten zum Drucken und Verschicken</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>All of it, to be imported again</source>
        <translation>Alles, zum Wiedereinlesen</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>Welche</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>All in “%1”</source>
        <translation>Alle in „%1“</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Mit</translation>
    </message>
    <message>
        <source>All branches</source>
        <translation>Alle Zweige</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>Den Chat exportieren</translation>
    </message>
    <message>
        <source>A folder for the chats, a file each</source>
        <translation>Ein Ordner für die Chats, je eine Datei</translation>
    </message>
</context>
<context>
    <name>Exporter</name>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message numerus="yes">
        <source>The export was stopped; %n chats are written.</source>
        <translation>
            <numerusform>Der Export wurde angehalten; %n Chat ist geschrieben.</numerusform>
            <numerusform>Der Export wurde angehalten; %n Chats sind geschrieben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats are in %1.</source>
        <translation>
            <numerusform>%n Chat ist in %1.</numerusform>
            <numerusform>%n Chats sind in %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>The chat is in %1.</source>
        <translation>Der Chat ist in %1.</translation>
    </message>
    <message>
        <source>message %1 of %2</source>
        <translation>Nachricht %1 von %2</translation>
    </message>
    <message>
        <source>Exporting: %1</source>
        <translation>Wird exportiert: %1</translation>
    </message>
    <message>
        <source>Exporting chat %1 of %2: %3</source>
        <translation>Chat %1 von %2 wird exportiert: %3</translation>
    </message>
</context>
<context>
    <name>FailureBlock</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>FilterChip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>FoldButton</name>
    <message>
        <source>%1, hide</source>
        <translation>%1, verbergen</translation>
    </message>
    <message>
        <source>%1, show</source>
        <translation>%1, zeigen</translation>
    </message>
</context>
<context>
    <name>FormulaBlock</name>
    <message>
        <source>Formula: %1</source>
        <translation>Formel: %1</translation>
    </message>
    <message>
        <source>Copy LaTeX</source>
        <translation>LaTeX kopieren</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>%1 – Perilune</source>
        <translation>%1 – Perilune</translation>
    </message>
    <message>
        <source>Perilune</source>
        <translation>Perilune</translation>
    </message>
</context>
<context>
    <name>MediaThumbnail</name>
    <message>
        <source>Clip %1, open</source>
        <translation>Clip %1, öffnen</translation>
    </message>
    <message>
        <source>Picture %1, open</source>
        <translation>Bild %1, öffnen</translation>
    </message>
    <message>
        <source>%1 can&apos;t be shown</source>
        <translation>%1 kann nicht gezeigt werden</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Tags, with commas between</source>
        <translation>Schlagwörter, mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>Into which folder?</source>
        <translation>In welchen Ordner?</translation>
    </message>
    <message>
        <source>travel, 2026</source>
        <translation>Reisen, 2026</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>Kein Ordner</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>ParameterField</name>
    <message>
        <source>As the model suggests</source>
        <translation>Wie das Modell es vorschlägt</translation>
    </message>
    <message>
        <source>A number from %1, please.</source>
        <translation>Bitte eine Zahl von %1.</translation>
    </message>
</context>
<context>
    <name>PartSlider</name>
    <message>
        <source>Part of the clip</source>
        <translation>Ausschnitt des Clips</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>QuestionActionsBlock</name>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit, as a new branch</source>
        <translation>Bearbeiten, als neuer Zweig</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Neuer Chat ab hier</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>Ab hier löschen</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
</context>
<context>
    <name>RichTextView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>SearchFilters</name>
    <message>
        <source>Anybody</source>
        <translation>Von allen</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Von mir</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Vom Modell</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 Tage</translation>
    </message>
    <message>
        <source>A month</source>
        <translation>Ein Monat</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>Ein Jahr</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>Alle Schlagwörter</translation>
    </message>
    <message>
        <source>Who wrote it</source>
        <translation>Wer es geschrieben hat</translation>
    </message>
    <message>
        <source>When it was written</source>
        <translation>Wann es geschrieben wurde</translation>
    </message>
    <message>
        <source>Tag of the chat</source>
        <translation>Schlagwort des Chats</translation>
    </message>
</context>
<context>
    <name>SeenChoices</name>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Taken as</source>
        <translation>Gesehen als</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Detailgrad</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Which frames</source>
        <translation>Welche Bilder</translation>
    </message>
    <message>
        <source>A short clip</source>
        <translation>Kurzer Clip</translation>
    </message>
    <message>
        <source>Its first frame</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>Alle %1</translation>
    </message>
    <message>
        <source>%1, %2 to %3</source>
        <translation>%1, %2 bis %3</translation>
    </message>
    <message>
        <source>Evenly spread</source>
        <translation>Gleichmäßig verteilt</translation>
    </message>
    <message>
        <source>Only the beginning</source>
        <translation>Nur der Anfang</translation>
    </message>
    <message>
        <source>%1 to %2: %3, %4</source>
        <translation>%1 bis %2: %3, %4</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 bis %2: %3</translation>
    </message>
</context>
<context>
    <name>SeenModel</name>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1: %2 frames from %3 to %4, %5</source>
        <translation>%1: %2 Bilder von %3 bis %4, %5</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>%1 × %2 pixels, seen as %3 × %4 pixels in %5 × %6 patches, %7</source>
        <translation>%1 × %2 Pixel, gesehen als %3 × %4 Pixel in %5 × %6 Kacheln, %7</translation>
    </message>
    <message>
        <source>%1, %2 frames of %3 × %4 pixels in %5, %6</source>
        <translation>%1, %2 Bilder von %3 × %4 Pixel in %5, %6</translation>
    </message>
    <message>
        <source>1 chunk</source>
        <translation>1 Abschnitt</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Abschnitte</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>SeenViewer</name>
    <message>
        <source>What the model sees of %1</source>
        <translation>Was das Modell von %1 sieht</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Size of the text: %1 %</source>
        <translation>Größe der Schrift: %1 %</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>As usual</source>
        <translation>Wie üblich</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>Tastenkürzel …</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Press the new keys. Delete takes the shortcut away, Escape leaves it as it is.</source>
        <translation>Drücken Sie die neuen Tasten. Entf nimmt das Kürzel weg, Esc lässt es, wie es ist.</translation>
    </message>
    <message>
        <source>Click a shortcut to change it.</source>
        <translation>Klicken Sie auf ein Kürzel, um es zu ändern.</translation>
    </message>
    <message>
        <source>no shortcut</source>
        <translation>kein Kürzel</translation>
    </message>
    <message>
        <source>The usual shortcut</source>
        <translation>Das übliche Kürzel</translation>
    </message>
    <message>
        <source>Press keys…</source>
        <translation>Tasten drücken …</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
    <message>
        <source>Change the shortcut of “%1”</source>
        <translation>Das Kürzel von „%1“ ändern</translation>
    </message>
    <message>
        <source>All as usual</source>
        <translation>Alle wie üblich</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Conversations</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Perilune</source>
        <translation>Perilune</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Hide conversations</source>
        <translation>Chats verbergen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>The bin is empty. What is in it goes after 30 days.</source>
        <translation>Der Papierkorb ist leer. Was darin ist, verschwindet nach 30 Tagen.</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>Hier ist nichts.</translation>
    </message>
    <message>
        <source>Your chats will be here.</source>
        <translation>Hier werden Ihre Chats sein.</translation>
    </message>
    <message>
        <source>Stop exporting</source>
        <translation>Export anhalten</translation>
    </message>
    <message>
        <source>Stop this</source>
        <translation>Das anhalten</translation>
    </message>
</context>
<context>
    <name>SidebarMenu</name>
    <message>
        <source>Import, back up, restore</source>
        <translation>Importieren, sichern, wiederherstellen</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren …</translation>
    </message>
    <message>
        <source>Back up all chats…</source>
        <translation>Alle Chats sichern …</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>Eine Sicherung wiederherstellen …</translation>
    </message>
    <message>
        <source>Import chats that were exported as JSON</source>
        <translation>Als JSON exportierte Chats importieren</translation>
    </message>
    <message>
        <source>Exported chats (%1)</source>
        <translation>Exportierte Chats (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Where the backup goes</source>
        <translation>Wohin die Sicherung kommt</translation>
    </message>
    <message>
        <source>The backup to restore</source>
        <translation>Die Sicherung, die wiederhergestellt wird</translation>
    </message>
</context>
<context>
    <name>ThinkingBlock</name>
    <message>
        <source>Thinking…</source>
        <translation>Denkt …</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>ToolBlock</name>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>In this chat</source>
        <translation>In diesem Chat</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>Nicht erlauben</translation>
    </message>
</context>
<context>
    <name>ToolList</name>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Tools: %1</source>
        <translation>Werkzeuge: %1</translation>
    </message>
</context>
<context>
    <name>ToolsPopup</name>
    <message>
        <source>Tools in this chat</source>
        <translation>Werkzeuge in diesem Chat</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>Zum Ende gehen</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>One chat was added.</source>
        <translation>Ein Chat kam hinzu.</translation>
    </message>
    <message>
        <source>%1 chats were added.</source>
        <translation>%1 Chats kamen hinzu.</translation>
    </message>
    <message>
        <source>Here already: %1.</source>
        <translation>Schon da: %1.</translation>
    </message>
    <message>
        <source>Not added: %1.</source>
        <translation>Nicht hinzugefügt: %1.</translation>
    </message>
    <message>
        <source>It was stopped; the rest was left out.</source>
        <translation>Es wurde angehalten; der Rest fehlt.</translation>
    </message>
    <message>
        <source>Importing file %1 of %2</source>
        <translation>Datei %1 von %2 wird importiert</translation>
    </message>
    <message>
        <source>There is no exported chat (a .json file) in it.</source>
        <translation>Darin ist kein exportierter Chat (eine .json-Datei).</translation>
    </message>
    <message>
        <source>Copying pictures and clips…</source>
        <translation>Bilder und Clips werden kopiert …</translation>
    </message>
    <message>
        <source>The backup was stopped; nothing is left of it.</source>
        <translation>Die Sicherung wurde angehalten; es ist nichts von ihr übrig.</translation>
    </message>
    <message>
        <source>All is copied to %4 – chats: %1, messages: %2, pictures and clips: %3.</source>
        <translation>Alles ist nach %4 kopiert – Chats: %1, Nachrichten: %2, Bilder und Clips: %3.</translation>
    </message>
    <message>
        <source>Reading the backup…</source>
        <translation>Die Sicherung wird gelesen …</translation>
    </message>
    <message>
        <source>It was stopped before anything was added.</source>
        <translation>Es wurde angehalten, bevor etwas hinzukam.</translation>
    </message>
    <message>
        <source>Restoring chat %1 of %2</source>
        <translation>Chat %1 von %2 wird wiederhergestellt</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>Wird importiert …</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>Wird gesichert …</translation>
    </message>
</context>
<context>
    <name>TransferDialog</name>
    <message>
        <source>What became of each chat</source>
        <translation>Was aus jedem Chat wurde</translation>
    </message>
    <message>
        <source>is here already</source>
        <translation>ist schon da</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>TurnText</name>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>Waiting for %1 other answers…</source>
        <translation>Wartet auf %1 andere Antworten …</translation>
    </message>
    <message>
        <source>Waiting for another answer…</source>
        <translation>Wartet auf eine andere Antwort …</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>Das Modell wird geladen …</translation>
    </message>
    <message>
        <source>Preparing the graphics device…</source>
        <translation>Das Grafikgerät wird vorbereitet …</translation>
    </message>
    <message>
        <source>Reading file %1 of %2…</source>
        <translation>Datei %1 von %2 wird gelesen …</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Die Datei wird gelesen …</translation>
    </message>
    <message>
        <source>Looking at the pictures…</source>
        <translation>Die Bilder werden betrachtet …</translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation>Die Eingabe wird gelesen …</translation>
    </message>
    <message>
        <source>A tool waits for your decision.</source>
        <translation>Ein Werkzeug wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <source>A tool is running…</source>
        <translation>Ein Werkzeug läuft …</translation>
    </message>
    <message>
        <source>Writing · %1 tokens/s</source>
        <translation>Schreibt · %1 Token/s</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Schreibt …</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten …</translation>
    </message>
</context>
<context>
    <name>UnreadBlock</name>
    <message>
        <source>A message that is being read</source>
        <translation>Eine Nachricht, die gerade gelesen wird</translation>
    </message>
</context>
<context>
    <name>UserTextBlock</name>
    <message>
        <source>You: %1</source>
        <translation>Sie: %1</translation>
    </message>
</context>
<context>
    <name>WindowModel</name>
    <message>
        <source>“%1” is in the bin.</source>
        <translation>„%1“ ist im Papierkorb.</translation>
    </message>
    <message>
        <source>The answer is copied.</source>
        <translation>Die Antwort ist kopiert.</translation>
    </message>
    <message>
        <source>There is space on the disk again.</source>
        <translation>Auf der Festplatte ist wieder Platz.</translation>
    </message>
    <message>
        <source>You left the temporary chat.</source>
        <translation>Sie haben den vorübergehenden Chat verlassen.</translation>
    </message>
</context>
<context>
    <name>perilune::ui</name>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1 gave no result</source>
        <translation>%1 gab kein Ergebnis</translation>
    </message>
    <message>
        <source>%1 answered</source>
        <translation>%1 hat geantwortet</translation>
    </message>
    <message>
        <source>May %1 run with this?</source>
        <translation>Darf %1 damit laufen?</translation>
    </message>
    <message>
        <source>%1 is running…</source>
        <translation>%1 läuft …</translation>
    </message>
    <message>
        <source>Called %1</source>
        <translation>%1 aufgerufen</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
    <message>
        <source>Thought for a second</source>
        <translation>Eine Sekunde gedacht</translation>
    </message>
    <message>
        <source>Thought for %1 seconds</source>
        <translation>%1 Sekunden gedacht</translation>
    </message>
    <message>
        <source>Thought for %1 minutes</source>
        <translation>%1 Minuten gedacht</translation>
    </message>
    <message>
        <source>The answer could not be finished.</source>
        <translation>Die Antwort konnte nicht beendet werden.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>The model answered nothing.</source>
        <translation>Das Modell hat nichts geantwortet.</translation>
    </message>
    <message>
        <source>The answer reached its longest allowed length.</source>
        <translation>Die Antwort hat die größte erlaubte Länge erreicht.</translation>
    </message>
    <message>
        <source>There is no result</source>
        <translation>Es gibt kein Ergebnis</translation>
    </message>
    <message>
        <source>The tool answered</source>
        <translation>Das Werkzeug hat geantwortet</translation>
    </message>
    <message>
        <source>A call that broke off or can&apos;t be understood</source>
        <translation>Ein Aufruf, der abbrach oder nicht verständlich ist</translation>
    </message>
    <message>
        <source>by the model</source>
        <translation>durch das Modell</translation>
    </message>
    <message>
        <source>at its longest allowed length</source>
        <translation>an der längsten erlaubten Länge</translation>
    </message>
    <message>
        <source>with a call of a tool</source>
        <translation>mit dem Aufruf eines Werkzeugs</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Modell: %1</translation>
    </message>
    <message>
        <source>Device: %1</source>
        <translation>Gerät: %1</translation>
    </message>
    <message>
        <source>Tokens read: %1</source>
        <translation>Gelesene Tokens: %1</translation>
    </message>
    <message>
        <source>Of them reused: %1</source>
        <translation>Davon wiederverwendet: %1</translation>
    </message>
    <message>
        <source>Of them pictures: %1</source>
        <translation>Davon Bilder: %1</translation>
    </message>
    <message>
        <source>Tokens written: %1</source>
        <translation>Geschriebene Tokens: %1</translation>
    </message>
    <message>
        <source>Speed: %1 tokens/s</source>
        <translation>Tempo: %1 Tokens/s</translation>
    </message>
    <message>
        <source>First token after: %1</source>
        <translation>Erstes Token nach: %1</translation>
    </message>
    <message>
        <source>Time writing: %1</source>
        <translation>Schreibzeit: %1</translation>
    </message>
    <message>
        <source>Thinking: %1</source>
        <translation>Nachdenken: %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Temperature: %1</source>
        <translation>Temperatur: %1</translation>
    </message>
    <message>
        <source>Seed: %1</source>
        <translation>Startwert: %1</translation>
    </message>
    <message>
        <source>End: %1</source>
        <translation>Ende: %1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>%1 to %2 s</source>
        <translation>%1 bis %2 s</translation>
    </message>
    <message>
        <source>from %1 s on</source>
        <translation>ab %1 s</translation>
    </message>
    <message>
        <source>up to %1 s</source>
        <translation>bis %1 s</translation>
    </message>
    <message>
        <source>only its beginning</source>
        <translation>nur der Anfang</translation>
    </message>
    <message>
        <source>the first frames, at most %1</source>
        <translation>die ersten Bilder, höchstens %1</translation>
    </message>
    <message>
        <source>at most %1 frames, evenly spread</source>
        <translation>höchstens %1 Bilder, gleichmäßig verteilt</translation>
    </message>
    <message>
        <source>Medium detail</source>
        <translation>Mittlerer Detailgrad</translation>
    </message>
    <message>
        <source>Low detail</source>
        <translation>Niedriger Detailgrad</translation>
    </message>
    <message>
        <source>the first frame of an animation</source>
        <translation>das erste Bild einer Animation</translation>
    </message>
</context>
</TS>
