#pragma once

#include <QLocalServer>

#include <filesystem>
#include <functional>

namespace perilune::ui {

/// One window for one folder of conversations: a second program raises the first one's window. The command
/// line is no window, and works beside it.
class SingleInstance {
public:
    /// Asks the program that has `dataFolder` open, of the same person, to raise its window. False where
    /// there is none. Takes at most a second.
    static bool raiseOther(const std::filesystem::path &dataFolder);

    /// From now on this is the program that is asked; `raise` is called on this thread. Where listening
    /// fails there are simply two windows, which the store allows.
    SingleInstance(const std::filesystem::path &dataFolder, std::function<void()> raise);

private:
    QLocalServer m_server;
};

} // namespace perilune::ui
