#include "app/tools/expression.h"

#include "engine/base/whole_characters.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <gmpxx.h>
#include <string>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kLongestText = 4000;      // bytes
constexpr int kDeepest = 200;                   // parentheses and signs within each other
constexpr std::size_t kMostBits = 40'000;       // of a numerator or denominator: about 12,000 digits
constexpr unsigned long kMostExponent = 10'000; // of 1e…
constexpr unsigned long kExactDigits = 2000, kRoundedDigits = 34;

Error fault(const std::string &what)
{
    return {ErrorCode::InvalidInput, what};
}

std::size_t bitsOf(const mpz_class &number)
{
    return mpz_sizeinbase(number.get_mpz_t(), 2);
}

std::size_t bitsOf(const mpq_class &number)
{
    return std::max(bitsOf(number.get_num()), bitsOf(number.get_den()));
}

mpz_class powerOfTen(unsigned long exponent)
{
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
    return power;
}

Error tooLarge()
{
    return fault("the numbers get too large: at most about 12,000 digits are allowed on the way");
}

/// Reads an expression from left to right. The first fault ends the reading.
class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    Result<mpq_class> whole()
    {
        Result<mpq_class> value = sum();
        if (value && (next() != '\0' || m_at < m_text.size()))
            return unexpected("an operator");
        return value;
    }

private:
    /// The next character that means something, spelled in ASCII; '\0' at the end.
    char next()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n'))
            ++m_at;
        m_length = 1;
        if (m_at >= m_text.size())
            return '\0';
        const std::string_view rest = m_text.substr(m_at);
        for (const auto &[spelled, meant] : {
                 std::pair{"×",  '*'},
                 {"·",  '*'},
                 {"÷",  '/'},
                 {"−",  '-'},
                 {"**", '^'}
        }) {
            if (rest.starts_with(spelled)) {
                m_length = std::string_view(spelled).size();
                return meant;
            }
        }
        return rest.front();
    }

    void take() { m_at += m_length; }

    Error unexpected(const std::string &expected)
    {
        const char found = next();
        if (found == '\0')
            return fault("the expression ends where " + expected + " should come");
        const std::size_t end = wholeFrom(m_text, m_at + 1);
        const std::string hint =
            found == ',' ? "; numbers are written without commas, with a point: 1234.5" : "";
        return fault("expected " + expected + ", found \"" + std::string(m_text.substr(m_at, end - m_at)) +
                     "\" at character " + std::to_string(m_at + 1) + hint);
    }

    Result<mpq_class> sum()
    {
        Result<mpq_class> left = product();
        while (left) {
            const char sign = next();
            if (sign != '+' && sign != '-')
                break;
            take();
            Result<mpq_class> right = product();
            if (!right)
                return right;
            *left = sign == '+' ? mpq_class(*left + *right) : mpq_class(*left - *right);
            if (bitsOf(*left) > kMostBits)
                return tooLarge();
        }
        return left;
    }

    Result<mpq_class> product()
    {
        Result<mpq_class> left = withSign();
        while (left) {
            const char sign = next();
            if (sign != '*' && sign != '/' && sign != '%')
                break;
            take();
            Result<mpq_class> right = withSign();
            if (!right)
                return right;
            left = combine(*left, sign, *right);
        }
        return left;
    }

    static Result<mpq_class> combine(const mpq_class &left, char sign, const mpq_class &right)
    {
        if (sign != '*' && right == 0)
            return fault(sign == '/' ? "division by zero" : "the remainder of a division by zero");
        mpq_class result = sign == '*' ? mpq_class(left * right) : mpq_class(left / right);
        if (sign == '%') {
            mpz_class whole;
            mpz_fdiv_q(whole.get_mpz_t(), result.get_num_mpz_t(), result.get_den_mpz_t());
            result = left - right * whole;
        }
        if (bitsOf(result) > kMostBits)
            return tooLarge();
        return result;
    }

    Result<mpq_class> withSign()
    {
        const char sign = next();
        if (sign != '-' && sign != '+')
            return power();
        take();
        const Deeper deeper(m_depth);
        if (m_depth > kDeepest)
            return tooDeep();
        Result<mpq_class> value = withSign();
        if (value && sign == '-')
            *value = -*value;
        return value;
    }

    Result<mpq_class> power()
    {
        Result<mpq_class> base = atom();
        if (!base || next() != '^')
            return base;
        take();
        const Deeper deeper(m_depth);
        if (m_depth > kDeepest)
            return tooDeep();
        Result<mpq_class> exponent = withSign(); // which takes further powers: from right to left
        if (!exponent)
            return exponent;
        return raised(*base, *exponent);
    }

    static Result<mpq_class> raised(const mpq_class &base, const mpq_class &exponent)
    {
        if (exponent.get_den() != 1)
            return fault("the exponent of ^ must be a whole number");
        if (base == 0 && exponent < 0)
            return fault("division by zero: 0 to a negative power");
        if (exponent == 0 || base == 1)
            return mpq_class(1);
        const mpz_class size = abs(exponent.get_num());
        if (base == 0 || base == -1)
            return mpq_class(base == 0 || mpz_odd_p(size.get_mpz_t()) ? base : mpq_class(1));
        if (size > kMostBits || (bitsOf(base) - 1) * size.get_ui() > kMostBits)
            return tooLarge();
        mpq_class result;
        mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), size.get_ui());
        mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), size.get_ui());
        return exponent < 0 ? mpq_class(1 / result) : result;
    }

    Result<mpq_class> atom()
    {
        const char first = next();
        if ((first >= '0' && first <= '9') || first == '.')
            return number();
        if (first != '(')
            return unexpected("a number");
        take();
        const Deeper deeper(m_depth);
        if (m_depth > kDeepest)
            return tooDeep();
        Result<mpq_class> value = sum();
        if (!value)
            return value;
        if (next() != ')')
            return unexpected("\")\"");
        take();
        return value;
    }

    std::string digits()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
            ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }

    Result<mpq_class> number()
    {
        const std::string whole = digits();
        std::string fraction;
        if (m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            fraction = digits();
        }
        if (whole.empty() && fraction.empty())
            return unexpected("a digit");
        mpq_class value(mpz_class(whole + fraction, 10), powerOfTen(fraction.size()));
        value.canonicalize();
        if (m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            ++m_at;
            const bool negative = m_at < m_text.size() && m_text[m_at] == '-';
            if (negative || (m_at < m_text.size() && m_text[m_at] == '+'))
                ++m_at;
            const std::string exponent = digits();
            if (exponent.empty())
                return unexpected("the digits of an exponent");
            const mpz_class size(exponent, 10);
            if (size > kMostExponent)
                return tooLarge();
            const mpq_class factor(powerOfTen(size.get_ui()));
            value = negative ? mpq_class(value / factor) : mpq_class(value * factor);
        }
        if (bitsOf(value) > kMostBits)
            return tooLarge();
        return value;
    }

    struct Deeper {
        explicit Deeper(int &of) : depth(of) { ++depth; }
        ~Deeper() { --depth; }
        Deeper(const Deeper &) = delete;
        Deeper &operator=(const Deeper &) = delete;
        int &depth;
    };

    static Error tooDeep() { return fault("the expression is nested too deeply: at most 200 levels"); }

    std::string_view m_text;
    std::size_t m_at = 0, m_length = 1;
    int m_depth = 0;
};

/// Digits after the point that a finite decimal needs: the larger exponent of 2 and 5 in its denominator.
/// Negative where the decimal never ends.
long placesOf(const mpz_class &denominator)
{
    mpz_class rest;
    const mpz_class two = 2, five = 5;
    const auto twos = mpz_remove(rest.get_mpz_t(), denominator.get_mpz_t(), two.get_mpz_t());
    const auto fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), five.get_mpz_t());
    return rest == 1 ? static_cast<long>(std::max(twos, fives)) : -1;
}

/// `digits` as a number whose last digit stands `places` behind the point.
std::string withPoint(std::string digits, unsigned long places)
{
    if (places == 0)
        return digits;
    if (digits.size() <= places)
        digits.insert(0, places + 1 - digits.size(), '0');
    return digits.insert(digits.size() - places, ".");
}

/// numerator / denominator to the nearest whole number, half to even; both positive.
mpz_class divided(const mpz_class &numerator, const mpz_class &denominator)
{
    mpz_class quotient, rest;
    mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
    const int half = cmp(mpz_class(rest * 2), denominator);
    if (half > 0 || (half == 0 && mpz_odd_p(quotient.get_mpz_t())))
        ++quotient;
    return quotient;
}

/// `value` > 0 with kRoundedDigits digits; with an exponent where it is far from 1.
std::string rounded(const mpq_class &value)
{
    // The exponent of ten of the first digit: at first a guess that may be one or two off, for GMP may count
    // a digit too many. Where it was wrong, the division is made anew: digits that were rounded once must not
    // be cut, nor rounded twice.
    long first = static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 10)) -
                 static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 10));
    std::string digits;
    for (;;) {
        const long shift = static_cast<long>(kRoundedDigits) - 1 - first;
        const mpz_class scale = powerOfTen(static_cast<unsigned long>(std::abs(shift)));
        digits = (shift >= 0 ? divided(value.get_num() * scale, value.get_den())
                             : divided(value.get_num(), value.get_den() * scale))
                     .get_str();
        if (digits.size() == kRoundedDigits)
            break;
        first += digits.size() > kRoundedDigits ? 1 : -1;
    }
    const long places = static_cast<long>(kRoundedDigits) - 1 - first;
    if (places >= 0 && first >= -7)
        return withPoint(std::move(digits), static_cast<unsigned long>(places));
    return withPoint(std::move(digits), kRoundedDigits - 1) + 'e' + std::to_string(first);
}

std::string written(const mpq_class &value)
{
    const mpq_class size = abs(value);
    const std::string sign = value < 0 ? "-" : "";
    const long places = placesOf(size.get_den());
    if (places >= 0 && places <= static_cast<long>(kExactDigits)) {
        const auto count = static_cast<unsigned long>(places);
        const mpz_class digits = size.get_num() * powerOfTen(count) / size.get_den();
        if (std::string text = digits.get_str(); text.size() <= kExactDigits)
            return sign + withPoint(std::move(text), count);
    }
    return sign + rounded(size) + " (rounded)";
}

} // namespace

Result<std::string> evaluateExpression(std::string_view text)
{
    if (text.size() > kLongestText)
        return fault("the expression is too long: at most 4,000 bytes are allowed");
    const Result<mpq_class> value = Reader(text).whole();
    if (!value)
        return value.error();
    return written(*value);
}

} // namespace perilune
