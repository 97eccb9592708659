#pragma once

#include <QLocale>

namespace perilune::ui {

/// Shows the program's words in the language of `locale` where there is a translation of them, and mirrors
/// the window where that is written from right to left. Without one it stays English. To be called once,
/// before the window is made; a QGuiApplication must exist.
void installTranslation(const QLocale &locale);

} // namespace perilune::ui
