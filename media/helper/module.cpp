#include "media/helper/module.h"

#include <dlfcn.h>

#include <string>

namespace perilune::helper {

Result<const Module *> loadModule(const char *name)
{
    // The loader itself knows where this program lies.
    const std::string file = std::string("$ORIGIN/perilune-media-") + name + ".so";
    void *object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const void *module = object ? dlsym(object, kModuleSymbol) : nullptr;
    if (!module) {
        return Error{ErrorCode::Unsupported, std::string("can't be read: the part of the decoder for it (") +
                                                 name + ") is not installed, or a library that it needs"};
    }
    return static_cast<const Module *>(module);
}

} // namespace perilune::helper
