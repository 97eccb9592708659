#include "ui/viewmodel/choice_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace perilune::ui {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("perilune::ui", text); // where lupdate files a function's words
}

/// Which part of a clip; empty for all of it.
QString partText(const MediaChoice &choice)
{
    const auto seconds = [](double value) { return QLocale().toString(value, 'f', 1); };
    if (choice.fromSeconds && choice.toSeconds)
        return tr("%1 to %2 s").arg(seconds(*choice.fromSeconds), seconds(*choice.toSeconds));
    if (choice.fromSeconds)
        return tr("from %1 s on").arg(seconds(*choice.fromSeconds));
    return choice.toSeconds ? tr("up to %1 s").arg(seconds(*choice.toSeconds)) : QString();
}

/// How many frames of a clip, and which; empty where nobody chose.
QString framesText(const MediaChoice &choice)
{
    const bool trim = choice.fit == MediaChoice::Fit::Trim;
    if (!choice.maxFrames)
        return trim ? tr("only its beginning") : QString();
    const QString most = QLocale().toString(*choice.maxFrames);
    return trim ? tr("the first frames, at most %1").arg(most)
                : tr("at most %1 frames, evenly spread").arg(most);
}

} // namespace

QString detailText(MediaChoice::Detail detail)
{
    switch (detail) {
    case MediaChoice::Detail::Full: break;
    case MediaChoice::Detail::Medium: return tr("Medium detail");
    case MediaChoice::Detail::Low: return tr("Low detail");
    }
    return {};
}

QString choiceText(const MediaPart &part)
{
    QStringList words{detailText(part.choice.detail)};
    if (part.kind == MediaPart::Kind::Video)
        words << partText(part.choice) << framesText(part.choice);
    else if (part.choice.firstFrame)
        words << tr("the first frame of an animation");
    words.removeAll(QString());
    QString text = words.join(QStringLiteral(" · "));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace perilune::ui
