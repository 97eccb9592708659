#pragma once

#include <QTest>
#include <string>

/// Lets QCOMPARE show a std::string.
template <>
inline char *QTest::toString(const std::string &text)
{
    return qstrdup(text.c_str());
}
