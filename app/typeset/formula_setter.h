#pragma once

#include "app/typeset/formula.h"
#include "engine/base/result.h"

#include <QString>

#include <chrono>
#include <memory>

namespace perilune {

/// Sets LaTeX formulas as KaTeX does. The script runs in an engine of its own, without access to anything,
/// and is stopped when it takes too long: a formula is what a model wrote, and not trusted.
///
/// Belongs to the thread that made it, in a program with a QGuiApplication. Making it takes
/// about a tenth of a second, a formula about a millisecond.
class FormulaSetter {
public:
    enum class Style { Inline, Display }; ///< within a line of text, or on lines of its own

    explicit FormulaSetter(std::chrono::milliseconds longest = std::chrono::seconds(2));
    ~FormulaSetter();
    FormulaSetter(const FormulaSetter &) = delete;
    FormulaSetter &operator=(const FormulaSetter &) = delete;

    /// The formula, or why there is none: what KaTeX doesn't understand, and where; too long; too large.
    Result<Formula> set(const QString &latex, Style style);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace perilune
