#include "app/typeset/box_style.h"

#include <array>
#include <optional>

namespace perilune {

namespace {

enum class Change { Keep, On, Off };

struct FontRule {
    const char *name;
    const char *family; ///< null: unchanged
    Change bold = Change::Keep, italic = Change::Keep;
};

// In the style sheet's order: where a box has several classes, the later rule wins.
constexpr std::array kFontRules = {
    FontRule{"textbf", nullptr, Change::On, Change::Keep},
    FontRule{"textit", nullptr, Change::Keep, Change::On},
    FontRule{"textrm", "KaTeX_Main"},
    FontRule{"textsf", "KaTeX_SansSerif"},
    FontRule{"texttt", "KaTeX_Typewriter"},
    FontRule{"mathnormal", "KaTeX_Math", Change::Keep, Change::On},
    FontRule{"mathit", "KaTeX_Main", Change::Keep, Change::On},
    FontRule{"mathrm", nullptr, Change::Keep, Change::Off},
    FontRule{"mathbf", "KaTeX_Main", Change::On, Change::Keep},
    FontRule{"boldsymbol", "KaTeX_Math", Change::On, Change::On},
    FontRule{"amsrm", "KaTeX_AMS"},
    FontRule{"mathbb", "KaTeX_AMS"},
    FontRule{"textbb", "KaTeX_AMS"},
    FontRule{"mathcal", "KaTeX_Caligraphic"},
    FontRule{"mathfrak", "KaTeX_Fraktur"},
    FontRule{"textfrak", "KaTeX_Fraktur"},
    FontRule{"mathtt", "KaTeX_Typewriter"},
    FontRule{"mathscr", "KaTeX_Script"},
    FontRule{"textscr", "KaTeX_Script"},
    FontRule{"mathsf", "KaTeX_SansSerif"},
    FontRule{"mathboldsf", "KaTeX_SansSerif", Change::On, Change::Keep},
    FontRule{"textboldsf", "KaTeX_SansSerif", Change::On, Change::Keep},
    FontRule{"mathitsf", "KaTeX_SansSerif", Change::Keep, Change::On},
    FontRule{"textitsf", "KaTeX_SansSerif", Change::Keep, Change::On},
    FontRule{"mainrm", "KaTeX_Main", Change::Keep, Change::Off},
    FontRule{"delim-size1", "KaTeX_Size1"},
    FontRule{"delim-size4", "KaTeX_Size4"},
    FontRule{"small-op", "KaTeX_Size1"},
    FontRule{"large-op", "KaTeX_Size2"},
};

struct AlignRule {
    const char *name;
    BoxStyle::Align align;
};
constexpr std::array kAlignRules = {
    AlignRule{"katex-display", BoxStyle::Align::Center},
    AlignRule{"msupsub",       BoxStyle::Align::Left  },
    AlignRule{"mfrac",         BoxStyle::Align::Center},
    AlignRule{"op-limits",     BoxStyle::Align::Center},
    AlignRule{"accent",        BoxStyle::Align::Center},
    AlignRule{"col-align-c",   BoxStyle::Align::Center},
    AlignRule{"col-align-l",   BoxStyle::Align::Left  },
    AlignRule{"col-align-r",   BoxStyle::Align::Right },
    AlignRule{"svg-align",     BoxStyle::Align::Left  },
    AlignRule{"x-arrow",       BoxStyle::Align::Center},
    AlignRule{"mover",         BoxStyle::Align::Center},
    AlignRule{"munder",        BoxStyle::Align::Center},
};

// KaTeX's sizes 1 to 11, \tiny to \Huge; 6 is \normalsize.
constexpr std::array kSizes = {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.44, 1.728, 2.074, 2.488};

/// The size that one of the classes names after `prefix`: "size3" is 3.
std::optional<double> sizeNamed(const BoxNode &node, const char *prefix)
{
    for (const QString &name : node.classes) {
        if (!name.startsWith(QLatin1String(prefix)))
            continue;
        const int number = name.mid(static_cast<qsizetype>(qstrlen(prefix))).toInt();
        if (number >= 1 && number <= static_cast<int>(kSizes.size()))
            return kSizes.at(static_cast<std::size_t>(number - 1));
    }
    return std::nullopt;
}

void apply(Change change, bool &value)
{
    if (change != Change::Keep)
        value = change == Change::On;
}

} // namespace

BoxStyle styleInside(const BoxNode &node, const BoxStyle &outer)
{
    BoxStyle style = outer;
    for (const FontRule &rule : kFontRules) {
        if (!node.has(rule.name))
            continue;
        if (rule.family)
            style.family = QLatin1String(rule.family);
        apply(rule.bold, style.bold);
        apply(rule.italic, style.italic);
    }
    for (const AlignRule &rule : kAlignRules) {
        if (node.has(rule.name))
            style.align = rule.align;
    }
    if (node.has("sizing") || node.has("fontsize-ensurer")) {
        const std::optional<double> from = sizeNamed(node, "reset-size"), to = sizeNamed(node, "size");
        if (from && to)
            style.size *= *to / *from;
    }
    if (node.has("delimsizing") && !node.has("mult")) {
        for (const char *number : {"1", "2", "3", "4"}) {
            if (node.classes.contains(QLatin1String("size") + QLatin1String(number)))
                style.family = QLatin1String("KaTeX_Size") + QLatin1String(number);
        }
    }
    const auto color = node.style.find(QStringLiteral("color"));
    if (color != node.style.end())
        style.color = QColor(*color);
    return style;
}

} // namespace perilune
