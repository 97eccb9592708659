<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ar">
<context>
    <name>ActionsBlock</name>
    <message>
        <source>Copy answer</source>
        <translation>نسخ الإجابة</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>الإجابة من جديد</translation>
    </message>
    <message>
        <source>More</source>
        <translation>المزيد</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>تعديل الإجابة</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>محادثة جديدة من هنا</translation>
    </message>
    <message>
        <source>Keep only this branch</source>
        <translation>الاحتفاظ بهذا الفرع فقط</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>الحذف من هنا فصاعدًا</translation>
    </message>
    <message>
        <source>About this answer…</source>
        <translation>عن هذه الإجابة…</translation>
    </message>
</context>
<context>
    <name>AnswerParameters</name>
    <message>
        <source>Temperature</source>
        <translation>درجة الحرارة</translation>
    </message>
    <message>
        <source>How freely words are chosen. 0 always takes the most likely one; higher is more varied and less exact.</source>
        <translation>مدى حرية اختيار الكلمات. القيمة 0 تأخذ دائمًا الكلمة الأرجح، والقيم الأعلى أكثر تنوعًا وأقل دقة.</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Leaves out unlikely words: the most likely ones that together reach this share stay. 1 keeps all.</source>
        <translation>تُستبعد الكلمات المستبعدة: تبقى الكلمات الأرجح التي تبلغ معًا هذه النسبة. القيمة 1 تُبقي الكل.</translation>
    </message>
    <message>
        <source>Min p</source>
        <translation>Min p</translation>
    </message>
    <message>
        <source>Leaves out words that are less likely than this share of the most likely one. 0 keeps all.</source>
        <translation>تُستبعد الكلمات التي يقل احتمالها عن هذه النسبة من احتمال الكلمة الأرجح. القيمة 0 تُبقي الكل.</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>At most this many words are considered at a time. 0 considers all.</source>
        <translation>أقصى عدد من الكلمات يُنظر فيه كل مرة. القيمة 0 تنظر في الكل.</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>أطول إجابة</translation>
    </message>
    <message>
        <source>In tokens, thinking included; a token is about three quarters of an English word. Longer answers are cut there.</source>
        <translation>بالرموز، بما فيها التفكير؛ والرمز نحو ثلاثة أرباع كلمة إنجليزية. تُقطع الإجابات الأطول عند هذا الحد.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>من %1 إلى %2</translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <source>Remove %1</source>
        <translation>إزالة %1</translation>
    </message>
    <message>
        <source>Show what the model sees</source>
        <translation>إظهار ما يراه النموذج</translation>
    </message>
</context>
<context>
    <name>AttachmentModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 ث</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>إطار واحد</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>عدد الإطارات: %1</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>رمز واحد</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>عدد الرموز: %1</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>جارٍ القراءة…</translation>
    </message>
    <message>
        <source>%1–%2 of %3 s</source>
        <translation>%1–%2 من %3 ث</translation>
    </message>
    <message>
        <source>Animation</source>
        <translation>صورة متحركة</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>الإطار الأول</translation>
    </message>
    <message>
        <source>Reading… %1 %</source>
        <translation>جارٍ القراءة… %1 %</translation>
    </message>
    <message>
        <source>%1 is neither a picture nor a clip.</source>
        <translation>%1 ليس صورة ولا مقطعًا.</translation>
    </message>
</context>
<context>
    <name>BranchSwitch</name>
    <message>
        <source>Branch %1 of %2</source>
        <translation>الفرع %1 من %2</translation>
    </message>
    <message>
        <source>The branch before</source>
        <translation>الفرع السابق</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 من %2</translation>
    </message>
    <message>
        <source>The branch after</source>
        <translation>الفرع التالي</translation>
    </message>
</context>
<context>
    <name>Chat</name>
    <message>
        <source>The answer is complete.</source>
        <translation>اكتملت الإجابة.</translation>
    </message>
    <message>
        <source>A tool waits for your decision.</source>
        <translation>أداة تنتظر قرارك.</translation>
    </message>
    <message>
        <source>The message is in the bin, with what followed it.</source>
        <translation>الرسالة في سلة المهملات مع ما تلاها.</translation>
    </message>
    <message>
        <source>The other branches are in the bin.</source>
        <translation>الفروع الأخرى في سلة المهملات.</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Show conversations</source>
        <translation>إظهار المحادثات</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>محادثة جديدة</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>مؤقتة</translation>
    </message>
    <message>
        <source>A chat that is never written to the disk</source>
        <translation>محادثة لا تُكتب على القرص أبدًا</translation>
    </message>
    <message>
        <source>Keep this chat</source>
        <translation>احتفظ بهذه المحادثة</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Attach pictures and clips</source>
        <translation>إرفاق صور ومقاطع</translation>
    </message>
    <message>
        <source>Pictures and clips (%1)</source>
        <translation>صور ومقاطع (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>كل الملفات (*)</translation>
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
        <translation>الجزء</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>code</source>
        <translation>شيفرة</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>نسخ الشيفرة</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>What would you like to do?</source>
        <translation>ماذا تريد أن تفعل؟</translation>
    </message>
    <message>
        <source>Search the commands</source>
        <translation>البحث في الأوامر</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>الأوامر</translation>
    </message>
    <message>
        <source>There is no such command.</source>
        <translation>لا يوجد أمر كهذا.</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Chats</source>
        <translation>المحادثات</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>هذه المحادثة</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>النافذة</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>محادثة جديدة</translation>
    </message>
    <message>
        <source>Search the chats</source>
        <translation>البحث في المحادثات</translation>
    </message>
    <message>
        <source>Next chat in the list</source>
        <translation>المحادثة التالية في القائمة</translation>
    </message>
    <message>
        <source>Previous chat in the list</source>
        <translation>المحادثة السابقة في القائمة</translation>
    </message>
    <message>
        <source>Show or hide the list of chats</source>
        <translation>إظهار قائمة المحادثات أو إخفاؤها</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>اكتب رسالة</translation>
    </message>
    <message>
        <source>Attach pictures and clips</source>
        <translation>إرفاق صور ومقاطع</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>إيقاف الإجابة</translation>
    </message>
    <message>
        <source>Answer the last message again</source>
        <translation>الإجابة عن الرسالة الأخيرة من جديد</translation>
    </message>
    <message>
        <source>Edit my last message</source>
        <translation>تعديل رسالتي الأخيرة</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>نسخ الإجابة الأخيرة</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>الانتقال إلى النهاية</translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation>تصدير هذه المحادثة</translation>
    </message>
    <message>
        <source>Thinking on or off</source>
        <translation>تشغيل التفكير أو إيقافه</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>كل الأوامر</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>اختصارات لوحة المفاتيح</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>الإعدادات</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>نص أكبر</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>نص أصغر</translation>
    </message>
    <message>
        <source>Text in its usual size</source>
        <translation>النص بحجمه المعتاد</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>إنهاء</translation>
    </message>
    <message>
        <source>A shortcut needs Ctrl, Alt or a function key: the others write.</source>
        <translation>يحتاج الاختصار إلى Ctrl أو Alt أو مفتاح وظيفي، فبقية المفاتيح للكتابة.</translation>
    </message>
    <message>
        <source>%1 is needed for writing.</source>
        <translation>%1 لازم للكتابة.</translation>
    </message>
    <message>
        <source>%1 is taken by “%2”.</source>
        <translation>%1 مستخدم لـ«%2».</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Only files of this computer can be attached, not %1.</source>
        <translation>لا يمكن إرفاق سوى ملفات هذا الحاسوب، لا %1.</translation>
    </message>
    <message>
        <source>Pasted %1.png</source>
        <translation>ملصق %1.png</translation>
    </message>
    <message>
        <source>The picture of the clipboard could not be read.</source>
        <translation>تعذرت قراءة صورة الحافظة.</translation>
    </message>
    <message>
        <source>This system has no place in memory for pictures, so none can be pasted into a temporary chat.</source>
        <translation>لا مكان للصور في ذاكرة هذا النظام، فلا يمكن لصق أي صورة في محادثة مؤقتة.</translation>
    </message>
</context>
<context>
    <name>ComposerBar</name>
    <message>
        <source>Attachments</source>
        <translation>المرفقات</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>اسأل ما تشاء</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>اكتب رسالة</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>الرسالة</translation>
    </message>
    <message>
        <source>Attach pictures and clips</source>
        <translation>إرفاق صور ومقاطع</translation>
    </message>
    <message>
        <source>Think first</source>
        <translation>التفكير أولًا</translation>
    </message>
    <message>
        <source>Which tools the model may ask to use in this chat</source>
        <translation>الأدوات التي يجوز للنموذج طلب استخدامها في هذه المحادثة</translation>
    </message>
    <message>
        <source>Answers can be wrong. Enter sends, Shift+Enter begins a line.</source>
        <translation>قد تكون الإجابات خاطئة. Enter للإرسال وShift+Enter لسطر جديد.</translation>
    </message>
</context>
<context>
    <name>ConversationListModel</name>
    <message>
        <source>New chat</source>
        <translation>محادثة جديدة</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>المثبتة</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>المحادثات</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>الرسائل</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>اليوم</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>أمس</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>آخر 7 أيام</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>كل المحادثات</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>الأرشيف</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>سلة المهملات</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>محادثة</translation>
    </message>
</context>
<context>
    <name>ConversationRow</name>
    <message>
        <source>What to do with “%1”</source>
        <translation>ما العمل مع «%1»</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>الاسم الجديد</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>استعادة</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>إعادة التسمية</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>إلغاء التثبيت</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>التثبيت في الأعلى</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>المجلد…</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>الوسوم…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>تصدير…</translation>
    </message>
    <message>
        <source>Back from the archive</source>
        <translation>الإعادة من الأرشيف</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>الأرشيف</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>حذف</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>إلى الأعلى</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>إلى الأسفل</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>About this answer</source>
        <translation>عن هذه الإجابة</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>نسخ</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>إغلاق</translation>
    </message>
</context>
<context>
    <name>DialogFrame</name>
    <message>
        <source>Close</source>
        <translation>إغلاق</translation>
    </message>
</context>
<context>
    <name>DiskFullBar</name>
    <message>
        <source>The disk is full.</source>
        <translation>القرص ممتلئ.</translation>
    </message>
    <message>
        <source>Nothing is lost: what you write and what is being answered waits in memory, and is saved by itself as soon as there is space. Keep Perilune open, and free some space where %1 is.</source>
        <translation>لم يضِع شيء: ما تكتبه وما يُجاب عنه ينتظر في الذاكرة، ويُحفظ تلقائيًا حالما تتوفر مساحة. أبقِ Perilune مفتوحًا، وحرّر بعض المساحة حيث يوجد %1.</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop pictures and clips here</source>
        <translation>أفلت الصور والمقاطع هنا</translation>
    </message>
</context>
<context>
    <name>EditDialog</name>
    <message>
        <source>Edit your message</source>
        <translation>تعديل رسالتك</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>تعديل الإجابة</translation>
    </message>
    <message>
        <source>The message</source>
        <translation>الرسالة</translation>
    </message>
    <message>
        <source>What you wrote before stays as a branch, with its answers.</source>
        <translation>يبقى ما كتبته سابقًا فرعًا مع إجاباته.</translation>
    </message>
    <message>
        <source>The answer as it was stays as a branch.</source>
        <translation>تبقى الإجابة كما كانت فرعًا.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>إلغاء</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>إرسال</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>حفظ</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What would you like to know?</source>
        <translation>ماذا تريد أن تعرف؟</translation>
    </message>
    <message>
        <source>Write a message, or drop a picture or a short clip anywhere in this window. Everything stays on this computer.</source>
        <translation>اكتب رسالة، أو أفلت صورة أو مقطعًا قصيرًا في أي مكان من هذه النافذة. كل شيء يبقى على هذا الحاسوب.</translation>
    </message>
    <message>
        <source>Describe a picture</source>
        <translation>وصف صورة</translation>
    </message>
    <message>
        <source>A sample with two shapes</source>
        <translation>مثال فيه شكلان</translation>
    </message>
    <message>
        <source>Describe the image.</source>
        <translation>Describe the image.</translation>
    </message>
    <message>
        <source>Follow a clip</source>
        <translation>متابعة مقطع</translation>
    </message>
    <message>
        <source>A sample with a moving circle</source>
        <translation>مثال فيه دائرة متحركة</translation>
    </message>
    <message>
        <source>What happens in the video?</source>
        <translation>What happens in the video?</translation>
    </message>
    <message>
        <source>Just talk</source>
        <translation>مجرد حديث</translation>
    </message>
    <message>
        <source>Ask what it can do</source>
        <translation>اسأله عما يستطيع</translation>
    </message>
    <message>
        <source>What can you do?</source>
        <translation>What can you do?</translation>
    </message>
    <message>
        <source>A chat that leaves no trace</source>
        <translation>محادثة لا تترك أثرًا</translation>
    </message>
    <message>
        <source>What is said here is never written to the disk, and gone when Perilune closes or you begin another temporary chat. You can still decide to keep it.</source>
        <translation>ما يُقال هنا لا يُكتب على القرص أبدًا، ويزول عند إغلاق Perilune أو بدء محادثة مؤقتة أخرى. ويمكنك أن تقرر الاحتفاظ بها.</translation>
    </message>
</context>
<context>
    <name>EngineCard</name>
    <message>
        <source>Try again</source>
        <translation>إعادة المحاولة</translation>
    </message>
</context>
<context>
    <name>EngineStatus</name>
    <message>
        <source>No model</source>
        <translation>لا نموذج</translation>
    </message>
    <message>
        <source>Loads with the first message</source>
        <translation>يُحمَّل مع أول رسالة</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export “%1”</source>
        <translation>تصدير «%1»</translation>
    </message>
    <message>
        <source>As</source>
        <translation>كملف</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Text, with a folder of its pictures beside it</source>
        <translation>نص، وبجانبه مجلد صوره</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>One page for any browser, pictures inside</source>
        <translation>صفحة واحدة لأي متصفح، والصور بداخلها</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Pages to print and to send</source>
        <translation>صفحات للطباعة والإرسال</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>All of it, to be imported again</source>
        <translation>كل شيء، لاستيراده من جديد</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>أيها</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>هذه المحادثة</translation>
    </message>
    <message>
        <source>All in “%1”</source>
        <translation>كل ما في «%1»</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>كل المحادثات</translation>
    </message>
    <message>
        <source>With</source>
        <translation>مع</translation>
    </message>
    <message>
        <source>All branches</source>
        <translation>كل الفروع</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>التفكير</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>استدعاءات الأدوات</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>الإحصاءات</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>إلغاء</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>تصدير…</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>تصدير المحادثة</translation>
    </message>
    <message>
        <source>A folder for the chats, a file each</source>
        <translation>مجلد للمحادثات، ملف لكل منها</translation>
    </message>
</context>
<context>
    <name>Exporter</name>
    <message>
        <source>Reading…</source>
        <translation>جارٍ القراءة…</translation>
    </message>
    <message numerus="yes">
        <source>The export was stopped; %n chats are written.</source>
        <translation>
            <numerusform>أُوقف التصدير؛ لم تُكتب أي محادثة (%n).</numerusform>
            <numerusform>أُوقف التصدير؛ كُتبت محادثة واحدة (%n).</numerusform>
            <numerusform>أُوقف التصدير؛ كُتبت محادثتان (%n).</numerusform>
            <numerusform>أُوقف التصدير؛ كُتبت %n محادثات.</numerusform>
            <numerusform>أُوقف التصدير؛ كُتبت %n محادثة.</numerusform>
            <numerusform>أُوقف التصدير؛ كُتبت %n محادثة.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats are in %1.</source>
        <translation>
            <numerusform>لا محادثات في %1 (%n).</numerusform>
            <numerusform>محادثة واحدة في %1 (%n).</numerusform>
            <numerusform>محادثتان في %1 (%n).</numerusform>
            <numerusform>%n محادثات في %1.</numerusform>
            <numerusform>%n محادثة في %1.</numerusform>
            <numerusform>%n محادثة في %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>The chat is in %1.</source>
        <translation>المحادثة في %1.</translation>
    </message>
    <message>
        <source>message %1 of %2</source>
        <translation>الرسالة %1 من %2</translation>
    </message>
    <message>
        <source>Exporting: %1</source>
        <translation>جارٍ التصدير: %1</translation>
    </message>
    <message>
        <source>Exporting chat %1 of %2: %3</source>
        <translation>جارٍ تصدير المحادثة %1 من %2: %3</translation>
    </message>
</context>
<context>
    <name>FailureBlock</name>
    <message>
        <source>Try again</source>
        <translation>إعادة المحاولة</translation>
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
        <translation>%1، إخفاء</translation>
    </message>
    <message>
        <source>%1, show</source>
        <translation>%1، إظهار</translation>
    </message>
</context>
<context>
    <name>FormulaBlock</name>
    <message>
        <source>Formula: %1</source>
        <translation>صيغة: %1</translation>
    </message>
    <message>
        <source>Copy LaTeX</source>
        <translation>نسخ LaTeX</translation>
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
        <translation>المقطع %1، فتح</translation>
    </message>
    <message>
        <source>Picture %1, open</source>
        <translation>الصورة %1، فتح</translation>
    </message>
    <message>
        <source>%1 can&apos;t be shown</source>
        <translation>يتعذر عرض %1</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Tags, with commas between</source>
        <translation>وسوم تفصل بينها فواصل</translation>
    </message>
    <message>
        <source>Into which folder?</source>
        <translation>إلى أي مجلد؟</translation>
    </message>
    <message>
        <source>travel, 2026</source>
        <translation>سفر، 2026</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>بلا مجلد</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>الوسوم</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>المجلد</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>إلغاء</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>حفظ</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>إخفاء</translation>
    </message>
</context>
<context>
    <name>ParameterField</name>
    <message>
        <source>As the model suggests</source>
        <translation>كما يقترح النموذج</translation>
    </message>
    <message>
        <source>A number from %1, please.</source>
        <translation>أدخل عددًا %1 من فضلك.</translation>
    </message>
</context>
<context>
    <name>PartSlider</name>
    <message>
        <source>Part of the clip</source>
        <translation>جزء من المقطع</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Close</source>
        <translation>إغلاق</translation>
    </message>
</context>
<context>
    <name>QuestionActionsBlock</name>
    <message>
        <source>Copy message</source>
        <translation>نسخ الرسالة</translation>
    </message>
    <message>
        <source>Edit, as a new branch</source>
        <translation>تعديل، كفرع جديد</translation>
    </message>
    <message>
        <source>More</source>
        <translation>المزيد</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>محادثة جديدة من هنا</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>الحذف من هنا فصاعدًا</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>أجب مرة أخرى</translation>
    </message>
</context>
<context>
    <name>RichTextView</name>
    <message>
        <source>Copy</source>
        <translation>نسخ</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>تحديد الكل</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>بحث</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>البحث في المحادثات</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>مسح البحث</translation>
    </message>
</context>
<context>
    <name>SearchFilters</name>
    <message>
        <source>Anybody</source>
        <translation>الجميع</translation>
    </message>
    <message>
        <source>You</source>
        <translation>أنت</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>النموذج</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>أي وقت</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>اليوم</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 أيام</translation>
    </message>
    <message>
        <source>A month</source>
        <translation>شهر</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>سنة</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>أي وسم</translation>
    </message>
    <message>
        <source>Who wrote it</source>
        <translation>من كتبها</translation>
    </message>
    <message>
        <source>When it was written</source>
        <translation>متى كُتبت</translation>
    </message>
    <message>
        <source>Tag of the chat</source>
        <translation>وسم المحادثة</translation>
    </message>
</context>
<context>
    <name>SeenChoices</name>
    <message>
        <source>1 token</source>
        <translation>رمز واحد</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>عدد الرموز: %1</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>إطار واحد</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>عدد الإطارات: %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 ث</translation>
    </message>
    <message>
        <source>Taken as</source>
        <translation>يؤخذ على أنه</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>التفاصيل</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>الإطارات</translation>
    </message>
    <message>
        <source>Which frames</source>
        <translation>أي الإطارات</translation>
    </message>
    <message>
        <source>A short clip</source>
        <translation>مقطع قصير</translation>
    </message>
    <message>
        <source>Its first frame</source>
        <translation>إطاره الأول</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>كاملة</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>متوسطة</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>منخفضة</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>كلها (%1)</translation>
    </message>
    <message>
        <source>%1, %2 to %3</source>
        <translation>%1، من %2 إلى %3</translation>
    </message>
    <message>
        <source>Evenly spread</source>
        <translation>موزعة بالتساوي</translation>
    </message>
    <message>
        <source>Only the beginning</source>
        <translation>البداية فقط</translation>
    </message>
    <message>
        <source>%1 to %2: %3, %4</source>
        <translation>من %1 إلى %2: %3، %4</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>من %1 إلى %2: %3</translation>
    </message>
</context>
<context>
    <name>SeenModel</name>
    <message>
        <source>1 token</source>
        <translation>رمز واحد</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>عدد الرموز: %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 ث</translation>
    </message>
    <message>
        <source>%1: %2 frames from %3 to %4, %5</source>
        <translation>%1: إطارات عددها %2 من %3 إلى %4، %5</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>كله</translation>
    </message>
    <message>
        <source>%1 × %2 pixels, seen as %3 × %4 pixels in %5 × %6 patches, %7</source>
        <translation>%1 × %2 بكسل، تُرى %3 × %4 بكسل في %5 × %6 رقعة، %7</translation>
    </message>
    <message>
        <source>%1, %2 frames of %3 × %4 pixels in %5, %6</source>
        <translation>%1، إطارات عددها %2 بقياس %3 × %4 بكسل في %5، %6</translation>
    </message>
    <message>
        <source>1 chunk</source>
        <translation>جزء واحد</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>عدد الأجزاء: %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1، %2</translation>
    </message>
</context>
<context>
    <name>SeenViewer</name>
    <message>
        <source>What the model sees of %1</source>
        <translation>ما يراه النموذج من %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>إغلاق</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>جارٍ القراءة…</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>إيقاف</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>إرسال</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>الإعدادات</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>الألوان</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>كالنظام</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>فاتح</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>داكن</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>تباين عالٍ</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>حركة أقل</translation>
    </message>
    <message>
        <source>Size of the text: %1 %</source>
        <translation>حجم النص: %1 %</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>أصغر</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>أكبر</translation>
    </message>
    <message>
        <source>As usual</source>
        <translation>كالمعتاد</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>الإجابات</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>اختصارات لوحة المفاتيح…</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>اختصارات لوحة المفاتيح</translation>
    </message>
    <message>
        <source>Press the new keys. Delete takes the shortcut away, Escape leaves it as it is.</source>
        <translation>اضغط المفاتيح الجديدة. Delete يزيل الاختصار وEscape يتركه كما هو.</translation>
    </message>
    <message>
        <source>Click a shortcut to change it.</source>
        <translation>انقر اختصارًا لتغييره.</translation>
    </message>
    <message>
        <source>no shortcut</source>
        <translation>بلا اختصار</translation>
    </message>
    <message>
        <source>The usual shortcut</source>
        <translation>الاختصار المعتاد</translation>
    </message>
    <message>
        <source>Press keys…</source>
        <translation>اضغط المفاتيح…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>لا شيء</translation>
    </message>
    <message>
        <source>Change the shortcut of “%1”</source>
        <translation>تغيير اختصار «%1»</translation>
    </message>
    <message>
        <source>All as usual</source>
        <translation>الكل كالمعتاد</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Conversations</source>
        <translation>المحادثات</translation>
    </message>
    <message>
        <source>Perilune</source>
        <translation>Perilune</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>الإعدادات</translation>
    </message>
    <message>
        <source>Hide conversations</source>
        <translation>إخفاء المحادثات</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>محادثة جديدة</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>لم يُعثر على شيء.</translation>
    </message>
    <message>
        <source>The bin is empty. What is in it goes after 30 days.</source>
        <translation>سلة المهملات فارغة. ما فيها يُزال بعد 30 يومًا.</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>لا شيء هنا.</translation>
    </message>
    <message>
        <source>Your chats will be here.</source>
        <translation>ستكون محادثاتك هنا.</translation>
    </message>
    <message>
        <source>Stop exporting</source>
        <translation>أوقف التصدير</translation>
    </message>
    <message>
        <source>Stop this</source>
        <translation>أوقف هذا</translation>
    </message>
</context>
<context>
    <name>SidebarMenu</name>
    <message>
        <source>Import, back up, restore</source>
        <translation>استيراد ونسخ احتياطي واستعادة</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>استيراد محادثات…</translation>
    </message>
    <message>
        <source>Back up all chats…</source>
        <translation>نسخ كل المحادثات احتياطيًا…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>استعادة نسخة احتياطية…</translation>
    </message>
    <message>
        <source>Import chats that were exported as JSON</source>
        <translation>استيراد محادثات صُدّرت بصيغة JSON</translation>
    </message>
    <message>
        <source>Exported chats (%1)</source>
        <translation>محادثات مُصدَّرة (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>كل الملفات (*)</translation>
    </message>
    <message>
        <source>Where the backup goes</source>
        <translation>مكان النسخة الاحتياطية</translation>
    </message>
    <message>
        <source>The backup to restore</source>
        <translation>النسخة الاحتياطية المراد استعادتها</translation>
    </message>
</context>
<context>
    <name>ThinkingBlock</name>
    <message>
        <source>Thinking…</source>
        <translation>يفكر…</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Undo</source>
        <translation>تراجع</translation>
    </message>
</context>
<context>
    <name>ToolBlock</name>
    <message>
        <source>Allow once</source>
        <translation>السماح مرة واحدة</translation>
    </message>
    <message>
        <source>In this chat</source>
        <translation>في هذه المحادثة</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>دائمًا</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>عدم السماح</translation>
    </message>
</context>
<context>
    <name>ToolList</name>
    <message>
        <source>Tools</source>
        <translation>الأدوات</translation>
    </message>
    <message>
        <source>Tools: %1</source>
        <translation>الأدوات: %1</translation>
    </message>
</context>
<context>
    <name>ToolsPopup</name>
    <message>
        <source>Tools in this chat</source>
        <translation>أدوات هذه المحادثة</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Messages</source>
        <translation>الرسائل</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>الانتقال إلى النهاية</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>One chat was added.</source>
        <translation>أُضيفت محادثة واحدة.</translation>
    </message>
    <message>
        <source>%1 chats were added.</source>
        <translation>عدد المحادثات المضافة: %1.</translation>
    </message>
    <message>
        <source>Here already: %1.</source>
        <translation>موجودة بالفعل: %1.</translation>
    </message>
    <message>
        <source>Not added: %1.</source>
        <translation>لم تُضَف: %1.</translation>
    </message>
    <message>
        <source>It was stopped; the rest was left out.</source>
        <translation>أُوقف؛ وتُرك الباقي.</translation>
    </message>
    <message>
        <source>Importing file %1 of %2</source>
        <translation>استيراد الملف %1 من %2</translation>
    </message>
    <message>
        <source>There is no exported chat (a .json file) in it.</source>
        <translation>لا توجد فيه محادثة مُصدَّرة (ملف ‎.json).</translation>
    </message>
    <message>
        <source>Copying pictures and clips…</source>
        <translation>جارٍ نسخ الصور والمقاطع…</translation>
    </message>
    <message>
        <source>The backup was stopped; nothing is left of it.</source>
        <translation>أُوقف النسخ الاحتياطي؛ ولم يبقَ منه شيء.</translation>
    </message>
    <message>
        <source>All is copied to %4 – chats: %1, messages: %2, pictures and clips: %3.</source>
        <translation>نُسخ كل شيء إلى %4 – المحادثات: %1، الرسائل: %2، الصور والمقاطع: %3.</translation>
    </message>
    <message>
        <source>Reading the backup…</source>
        <translation>جارٍ قراءة النسخة الاحتياطية…</translation>
    </message>
    <message>
        <source>It was stopped before anything was added.</source>
        <translation>أُوقف قبل إضافة أي شيء.</translation>
    </message>
    <message>
        <source>Restoring chat %1 of %2</source>
        <translation>استعادة المحادثة %1 من %2</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>محادثة جديدة</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>جارٍ الاستيراد…</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>جارٍ النسخ الاحتياطي…</translation>
    </message>
</context>
<context>
    <name>TransferDialog</name>
    <message>
        <source>What became of each chat</source>
        <translation>ما جرى لكل محادثة</translation>
    </message>
    <message>
        <source>is here already</source>
        <translation>موجودة هنا بالفعل</translation>
    </message>
    <message>
        <source>added</source>
        <translation>أُضيفت</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>إغلاق</translation>
    </message>
</context>
<context>
    <name>TurnText</name>
    <message>
        <source>%1 s left</source>
        <translation>بقي %1 ث</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>بقي %1 د</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>جارٍ الحفظ…</translation>
    </message>
    <message>
        <source>Waiting for %1 other answers…</source>
        <translation>بانتظار إجابات أخرى عددها %1…</translation>
    </message>
    <message>
        <source>Waiting for another answer…</source>
        <translation>بانتظار إجابة أخرى…</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>جارٍ تحميل النموذج…</translation>
    </message>
    <message>
        <source>Preparing the graphics device…</source>
        <translation>جارٍ تجهيز بطاقة الرسوم…</translation>
    </message>
    <message>
        <source>Reading file %1 of %2…</source>
        <translation>جارٍ قراءة الملف %1 من %2…</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>جارٍ قراءة الملف…</translation>
    </message>
    <message>
        <source>Looking at the pictures…</source>
        <translation>جارٍ النظر إلى الصور…</translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation>جارٍ قراءة المطلوب…</translation>
    </message>
    <message>
        <source>A tool waits for your decision.</source>
        <translation>أداة تنتظر قرارك.</translation>
    </message>
    <message>
        <source>A tool is running…</source>
        <translation>أداة قيد التشغيل…</translation>
    </message>
    <message>
        <source>Writing · %1 tokens/s</source>
        <translation>يكتب · %1 رمز/ث</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>يكتب…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>جارٍ الإيقاف…</translation>
    </message>
</context>
<context>
    <name>UnreadBlock</name>
    <message>
        <source>A message that is being read</source>
        <translation>رسالة قيد القراءة</translation>
    </message>
</context>
<context>
    <name>UserTextBlock</name>
    <message>
        <source>You: %1</source>
        <translation>أنت: %1</translation>
    </message>
</context>
<context>
    <name>WindowModel</name>
    <message>
        <source>“%1” is in the bin.</source>
        <translation>«%1» في سلة المهملات.</translation>
    </message>
    <message>
        <source>The answer is copied.</source>
        <translation>نُسخت الإجابة.</translation>
    </message>
    <message>
        <source>There is space on the disk again.</source>
        <translation>توفرت مساحة على القرص من جديد.</translation>
    </message>
    <message>
        <source>You left the temporary chat.</source>
        <translation>غادرت المحادثة المؤقتة.</translation>
    </message>
</context>
<context>
    <name>perilune::ui</name>
    <message>
        <source>1 token</source>
        <translation>رمز واحد</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>عدد الرموز: %1</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 رمز/ث</translation>
    </message>
    <message>
        <source>%1 gave no result</source>
        <translation>لم يعط %1 نتيجة</translation>
    </message>
    <message>
        <source>%1 answered</source>
        <translation>أجاب %1</translation>
    </message>
    <message>
        <source>May %1 run with this?</source>
        <translation>هل يُسمح بتشغيل %1 بهذا؟</translation>
    </message>
    <message>
        <source>%1 is running…</source>
        <translation>%1 قيد التشغيل…</translation>
    </message>
    <message>
        <source>Called %1</source>
        <translation>استُدعي %1</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>الأفكار</translation>
    </message>
    <message>
        <source>Thought for a second</source>
        <translation>فكر ثانية</translation>
    </message>
    <message>
        <source>Thought for %1 seconds</source>
        <translation>مدة التفكير بالثواني: %1</translation>
    </message>
    <message>
        <source>Thought for %1 minutes</source>
        <translation>مدة التفكير بالدقائق: %1</translation>
    </message>
    <message>
        <source>The answer could not be finished.</source>
        <translation>تعذر إكمال الإجابة.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>أُوقفت.</translation>
    </message>
    <message>
        <source>The model answered nothing.</source>
        <translation>لم يجب النموذج بشيء.</translation>
    </message>
    <message>
        <source>The answer reached its longest allowed length.</source>
        <translation>بلغت الإجابة أقصى طول مسموح.</translation>
    </message>
    <message>
        <source>There is no result</source>
        <translation>لا توجد نتيجة</translation>
    </message>
    <message>
        <source>The tool answered</source>
        <translation>أجابت الأداة</translation>
    </message>
    <message>
        <source>A call that broke off or can&apos;t be understood</source>
        <translation>استدعاء انقطع أو يتعذر فهمه</translation>
    </message>
    <message>
        <source>by the model</source>
        <translation>من النموذج</translation>
    </message>
    <message>
        <source>at its longest allowed length</source>
        <translation>عند أقصى طول مسموح</translation>
    </message>
    <message>
        <source>with a call of a tool</source>
        <translation>باستدعاء أداة</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>أُوقفت</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 ث</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>النموذج: %1</translation>
    </message>
    <message>
        <source>Device: %1</source>
        <translation>الجهاز: %1</translation>
    </message>
    <message>
        <source>Tokens read: %1</source>
        <translation>الرموز المقروءة: %1</translation>
    </message>
    <message>
        <source>Of them reused: %1</source>
        <translation>منها مُعاد استخدامها: %1</translation>
    </message>
    <message>
        <source>Of them pictures: %1</source>
        <translation>منها للصور: %1</translation>
    </message>
    <message>
        <source>Tokens written: %1</source>
        <translation>الرموز المكتوبة: %1</translation>
    </message>
    <message>
        <source>Speed: %1 tokens/s</source>
        <translation>السرعة: %1 رمز/ث</translation>
    </message>
    <message>
        <source>First token after: %1</source>
        <translation>أول رمز بعد: %1</translation>
    </message>
    <message>
        <source>Time writing: %1</source>
        <translation>زمن الكتابة: %1</translation>
    </message>
    <message>
        <source>Thinking: %1</source>
        <translation>التفكير: %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>مُفعَّل</translation>
    </message>
    <message>
        <source>off</source>
        <translation>مُعطَّل</translation>
    </message>
    <message>
        <source>Temperature: %1</source>
        <translation>الحرارة: %1</translation>
    </message>
    <message>
        <source>Seed: %1</source>
        <translation>البذرة: %1</translation>
    </message>
    <message>
        <source>End: %1</source>
        <translation>الانتهاء: %1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>كُتبت: %1</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>متابعة</translation>
    </message>
    <message>
        <source>%1 to %2 s</source>
        <translation>من %1 إلى %2 ث</translation>
    </message>
    <message>
        <source>from %1 s on</source>
        <translation>ابتداءً من %1 ث</translation>
    </message>
    <message>
        <source>up to %1 s</source>
        <translation>حتى %1 ث</translation>
    </message>
    <message>
        <source>only its beginning</source>
        <translation>بدايته فقط</translation>
    </message>
    <message>
        <source>the first frames, at most %1</source>
        <translation>الإطارات الأولى، بحد أقصى %1</translation>
    </message>
    <message>
        <source>at most %1 frames, evenly spread</source>
        <translation>بحد أقصى %1 إطارًا، موزعة بالتساوي</translation>
    </message>
    <message>
        <source>Medium detail</source>
        <translation>تفاصيل متوسطة</translation>
    </message>
    <message>
        <source>Low detail</source>
        <translation>تفاصيل قليلة</translation>
    </message>
    <message>
        <source>the first frame of an animation</source>
        <translation>الإطار الأول من صورة متحركة</translation>
    </message>
</context>
</TS>
