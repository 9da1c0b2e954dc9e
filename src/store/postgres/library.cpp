#include "store/postgres/library.hpp"

#include <dlfcn.h>

namespace parley::store::postgres {
namespace {

struct Loaded {
    Library library;
    std::string problem;
};

template <class Function>
void find(void* handle, const char* name, Function& function, std::string& problem)
{
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function) problem = std::string(name) + " is missing";
}

Loaded load()
{
    Loaded loaded;
    void* handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);  // Stays loaded.
    if (!handle) {
        const char* reason = dlerror();
        loaded.problem = reason ? reason : "unknown reason";
        return loaded;
    }
#define PARLEY_FIND(name) find(handle, #name, loaded.library.name, loaded.problem);
    PARLEY_LIBPQ_FUNCTIONS(PARLEY_FIND)
#undef PARLEY_FIND
    return loaded;
}

const Loaded& loaded()
{
    static const Loaded once = load();
    return once;
}

}  // namespace

Result<const Library*> load_library()
{
    if (loaded().problem.empty()) return &loaded().library;
    return Error{Errc::storage_unavailable,
                 "PostgreSQL's client library (libpq, version 14 or later) cannot be loaded. "
                 "Install it, for example with: apt install libpq5",
                 loaded().problem};
}

const Library& libpq() { return loaded().library; }

}  // namespace parley::store::postgres
