#pragma once

#include "app/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"

#include <QQuickWindow>

#include <functional>
#include <string>
#include <vector>

namespace perilune::test {

/// What the steps of a scene act on.
struct Stage {
    Application &application;
    ui::WindowModel &model;
    QQuickWindow &window;
    Script &script;
};

/// Done when it returns true; called again every few milliseconds until then.
using Step = std::function<bool(Stage &)>;

/// A thing worth looking at, reached by steps that a person could take.
struct Scene {
    const char *name;
    const char *about;
    std::function<void(Script &)> prepare; ///< before the program starts
    std::vector<Step> steps;
    bool restart = false; ///< after the steps the program is closed and started again
};

const std::vector<Scene> &scenes();

/// The steps after a restart: the newest conversation is opened.
const std::vector<Step> &reopened();

} // namespace perilune::test
