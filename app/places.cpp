#include "app/places.h"

#include <cstdlib>

namespace perilune::places {

namespace {

namespace fs = std::filesystem;

/// Empty where it isn't set. The programs never change their environment, so that reading it is safe on any
/// thread.
fs::path absolutePath(const char *variable)
{
    const char *value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe)
    return value && *value == '/' ? fs::path(value) : fs::path();
}

/// The specification wants relative paths in `variable` ignored. Empty without a home.
fs::path under(const char *variable, const char *belowHome)
{
    if (const fs::path named = absolutePath(variable); !named.empty())
        return named / "perilune";
    const fs::path people = absolutePath("HOME");
    return people.empty() ? fs::path() : people / belowHome / "perilune";
}

/// People's things go to the working folder where there is no home, since they can't go nowhere.
fs::path orHere(const fs::path &folder, const char *belowHome)
{
    return folder.empty() ? fs::path(".") / belowHome / "perilune" : folder;
}

} // namespace

fs::path home()
{
    return absolutePath("HOME");
}

fs::path configFolder()
{
    return orHere(under("XDG_CONFIG_HOME", ".config"), ".config");
}

fs::path dataFolder()
{
    return orHere(under("XDG_DATA_HOME", ".local/share"), ".local/share");
}

fs::path cacheFolder()
{
    return under("XDG_CACHE_HOME", ".cache");
}

fs::path demoModel()
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    const fs::path candidates[] = {
        program / "../share/perilune/demo-model",                     // installed
        program / "../../../packaging/demo-model/model",              // build/<preset>/bin of the source tree
        fs::path(PERILUNE_SOURCE_DIR) / "packaging/demo-model/model", // any other build folder
    };
    for (const fs::path &folder : candidates) {
        if (fs::exists(folder / "config.json", ignored))
            return fs::weakly_canonical(folder, ignored);
    }
    return {};
}

} // namespace perilune::places
