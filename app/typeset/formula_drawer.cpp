#include "app/typeset/formula_drawer.h"

#include "app/typeset/formula_setter.h"
#include "app/typeset/formula_shapes.h"

#include <QGuiApplication>

#include <chrono>
#include <map>
#include <memory>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kMostKept = 1000; // formulas that may come again
constexpr std::chrono::seconds kMostInVain{10};

/// Qt's fonts need it, and keep what they have loaded as long as the program runs: so it stays, too.
class HiddenApplication {
public:
    HiddenApplication()
    {
        if (QCoreApplication::instance())
            return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // What it says of the session's folders is no concern of who exports a chat.
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
        m_application = std::make_unique<QGuiApplication>(m_count, m_arguments);
        qInstallMessageHandler(before);
    }

private:
    int m_count = 1;
    char m_name[9] = "perilune"; // NOLINT(modernize-avoid-c-arrays): as main() is given them
    char *m_arguments[2] = {m_name, nullptr};
    std::unique_ptr<QGuiApplication> m_application;
};

DrawnFormula::Step step(DrawnFormula::Step::Kind kind, const QPainterPath &path, int first)
{
    DrawnFormula::Step made{kind, {}};
    const int points = kind == DrawnFormula::Step::Kind::Curve ? 3 : 1;
    for (int i = 0; i < points; ++i) {
        const QPainterPath::Element element = path.elementAt(first + i);
        made.at[2 * static_cast<std::size_t>(i)] = element.x;
        made.at[2 * static_cast<std::size_t>(i) + 1] = element.y;
    }
    return made;
}

std::vector<DrawnFormula::Step> outlineOf(const QPainterPath &path)
{
    using Kind = DrawnFormula::Step::Kind;
    std::vector<DrawnFormula::Step> outline;
    for (int i = 0; i < path.elementCount(); ++i) {
        switch (path.elementAt(i).type) {
        case QPainterPath::MoveToElement: outline.push_back(step(Kind::Move, path, i)); break;
        case QPainterPath::LineToElement: outline.push_back(step(Kind::Line, path, i)); break;
        case QPainterPath::CurveToElement: outline.push_back(step(Kind::Curve, path, i)); break;
        case QPainterPath::CurveToDataElement: break; // the curve's own
        }
    }
    return outline;
}

DrawnFormula drawn(const Formula &formula)
{
    DrawnFormula result{formula.width, formula.ascent, formula.descent};
    for (const FormulaShape &shape : formulaShapes(formula)) {
        DrawnFormula::Area area{outlineOf(shape.path)};
        if (shape.color.isValid())
            area.rgb = shape.color.rgb() & 0xFFFFFF;
        result.areas.push_back(std::move(area));
    }
    return result;
}

class Drawer {
public:
    explicit Drawer(std::stop_token stop) : m_stop(std::move(stop)) {}

    Result<DrawnFormula> draw(const std::string &latex, bool display)
    {
        const auto found = m_known.find({latex, display});
        if (found != m_known.end())
            return found->second;
        if (m_stop.stop_requested() || m_inVain > kMostInVain)
            return Error{ErrorCode::Cancelled, "no more formulas are set"};
        if (!m_setter) {
            static const HiddenApplication &application = *new HiddenApplication;
            (void)application;
            m_setter = std::make_unique<FormulaSetter>();
        }
        const auto begun = std::chrono::steady_clock::now();
        const Result<Formula> formula =
            m_setter->set(QString::fromStdString(latex),
                          display ? FormulaSetter::Style::Display : FormulaSetter::Style::Inline);
        if (!formula)
            m_inVain += std::chrono::steady_clock::now() - begun;
        if (m_known.size() >= kMostKept)
            m_known.clear();
        return m_known
            .insert_or_assign({latex, display},
                              formula ? Result<DrawnFormula>(drawn(*formula)) : formula.error())
            .first->second;
    }

private:
    std::stop_token m_stop;
    std::unique_ptr<FormulaSetter> m_setter;
    std::map<std::pair<std::string, bool>, Result<DrawnFormula>> m_known;
    std::chrono::steady_clock::duration m_inVain{0}; // spent on what couldn't be set
};

} // namespace

FormulaOf formulaDrawer(std::stop_token stop)
{
    return [drawer = std::make_shared<Drawer>(std::move(stop))](const std::string &latex, bool display) {
        return drawer->draw(latex, display);
    };
}

} // namespace perilune
