#include "media/helper/module.h"

#include <dlfcn.h>

#include <string>
#include <unistd.h>

namespace perilune::helper {

namespace {

/// The folder of this program, for dlopen().
std::string programFolder()
{
#if defined(__SANITIZE_ADDRESS__) // whose own dlopen() would look beside its library
    std::string path(4096, '\0');
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return path.substr(0, path.rfind('/'));
#else
    return "$ORIGIN"; // the loader itself knows
#endif
}

} // namespace

Result<const Module *> loadModule(const char *name)
{
    const std::string file = programFolder() + "/perilune-media-" + name + ".so";
    void *object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void *module = object ? dlsym(object, kModuleSymbol) : nullptr;
    if (!module) {
        return Error{ErrorCode::Unsupported, std::string("can't be read: the part of the decoder for it (") +
                                                 name + ") is not installed, or a library that it needs"};
    }
    return static_cast<const Module *>(module);
}

} // namespace perilune::helper
