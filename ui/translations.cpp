// The other part of window.h: the words of the window in other languages.
#include "ui/window.h"

#include <QGuiApplication>
#include <QTranslator>

#include <memory>
#include <string_view>

namespace perilune::ui {
namespace {

/// lupdate writes a class's name without its namespace where it can't follow it; the program asks with it.
class Translator : public QTranslator {
public:
    QString translate(const char *context, const char *source, const char *comment, int count) const override
    {
        QString text = QTranslator::translate(context, source, comment, count);
        if (!text.isNull() || !context)
            return text;
        const std::string_view whole(context);
        const std::size_t colons = whole.rfind("::");
        return colons == std::string_view::npos
                   ? QString()
                   : QTranslator::translate(context + colons + 2, source, comment, count);
    }
};

} // namespace

void installTranslation(const QLocale &locale)
{
    auto translator = std::make_unique<Translator>();
    if (!translator->load(locale, QStringLiteral("perilune"), QStringLiteral("_"),
                          QStringLiteral(":/perilune/translations")))
        return;
    translator->setParent(QGuiApplication::instance());
    QGuiApplication::installTranslator(translator.release()); // the application owns it
    QGuiApplication::setLayoutDirection(locale.textDirection());
}

} // namespace perilune::ui
