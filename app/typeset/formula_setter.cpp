#include "app/typeset/formula_setter.h"

#include "app/typeset/box_node.h"
#include "app/typeset/formula_layout.h"
#include "engine/base/check.h"

#include <QFile>
#include <QJSEngine>
#include <QJsonDocument>
#include <QLoggingCategory>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>

namespace perilune {

namespace {

constexpr qsizetype kLongestFormula = 20000; // characters
constexpr double kLongestSide = 200;         // em: what is drawn of it stays within a graphics card's images

QString resource(const QString &name)
{
    QFile file(QStringLiteral(":/perilune/typeset/") + name);
    CHECK(file.open(QIODevice::ReadOnly));
    return QString::fromUtf8(file.readAll());
}

QLoggingCategory::CategoryFilter previousFilter = nullptr;

/// While it lives, Qt's script compiler doesn't say what it thinks of KaTeX's style.
class QuietCompiler {
public:
    QuietCompiler() { previousFilter = QLoggingCategory::installFilter(filter); }
    ~QuietCompiler() { QLoggingCategory::installFilter(previousFilter); }
    QuietCompiler(const QuietCompiler &) = delete;
    QuietCompiler &operator=(const QuietCompiler &) = delete;

private:
    static void filter(QLoggingCategory *category)
    {
        if (previousFilter)
            previousFilter(category);
        if (std::strcmp(category->categoryName(), "qt.qml.compiler") == 0)
            category->setEnabled(QtWarningMsg, false);
    }
};

/// Interrupts an engine that is still at work after a while.
class Watch {
public:
    Watch(QJSEngine &engine, std::chrono::milliseconds longest)
        : m_thread([&engine, longest](const std::stop_token &stop) {
              std::mutex mutex;
              std::condition_variable_any waiting;
              std::unique_lock lock(mutex);
              if (!waiting.wait_for(lock, stop, longest, [&] { return stop.stop_requested(); }))
                  engine.setInterrupted(true);
          })
    {
    }

private:
    std::jthread m_thread;
};

Error noFormula(std::string reason)
{
    return {ErrorCode::InvalidInput, "the formula can't be set: " + std::move(reason)};
}

} // namespace

struct FormulaSetter::Impl {
    QJSEngine engine;
    QJSValue boxes;
    std::chrono::milliseconds longest{};
};

FormulaSetter::FormulaSetter(std::chrono::milliseconds longest) : m_impl(std::make_unique<Impl>())
{
    m_impl->longest = longest;
    QJSEngine &engine = m_impl->engine;
    // KaTeX looks for a place to hang itself up; without one it takes the global object's.
    const QuietCompiler quiet;
    QJSValue loaded =
        engine.evaluate(resource(QStringLiteral("katex.min.js")), QStringLiteral("katex.min.js"));
    CHECK(!loaded.isError());
    m_impl->boxes = engine.evaluate(resource(QStringLiteral("boxes.js")), QStringLiteral("boxes.js"));
    CHECK(m_impl->boxes.isCallable());
}

FormulaSetter::~FormulaSetter() = default;

Result<Formula> FormulaSetter::set(const QString &latex, Style style)
{
    if (latex.size() > kLongestFormula)
        return noFormula("it has " + std::to_string(latex.size()) + " characters, more than " +
                         std::to_string(kLongestFormula));
    QJSEngine &engine = m_impl->engine;
    engine.setInterrupted(false);
    QJSValue packed;
    {
        const Watch watch(engine, m_impl->longest);
        packed = m_impl->boxes.call({latex, style == Style::Display});
    }
    if (packed.isError() || engine.isInterrupted()) {
        engine.setInterrupted(false);
        engine.catchError();
        return noFormula("it takes too long");
    }
    const QJsonObject json = QJsonDocument::fromJson(packed.toString().toUtf8()).object();
    if (json.contains("error"))
        return noFormula(json["error"].toString().toStdString());
    Formula formula = layOutFormula(boxNode(json), json["h"].toDouble(), json["d"].toDouble());
    const double height = formula.ascent + formula.descent;
    if (!(formula.width <= kLongestSide && height <= kLongestSide))
        return noFormula("it is too large");
    return formula;
}

} // namespace perilune
