#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace perilune {

/// The value of an arithmetic expression over decimal numbers, in exact arithmetic (fractions of whole
/// numbers of any size).
///
/// + - * / % ^ and parentheses; ^ binds most, from right to left, then signs, so that -2^2 is -4. × · ÷ − and
/// ** are understood too. Numbers: 12, 0.5, .5, 1e-3. a % b is a - b * floor(a / b). The exponent of ^ must
/// be a whole number.
///
/// The result has all its digits where it is a finite decimal of at most 2,000 digits; else it is rounded to
/// 34 digits, half to even, followed by " (rounded)". InvalidInput with a sentence where the text is no such
/// expression, divides by zero, or needs numbers of more than about 12,000 digits.
Result<std::string> evaluateExpression(std::string_view text);

} // namespace perilune
