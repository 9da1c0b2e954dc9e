// A store that forgets everything when it ends: for trying Parley out, and for tests of what lies
// above it. A SQLite database in memory with one thread, which writes and reads.
#pragma once

#include "store/store.hpp"

#include <memory>

namespace parley::store {

std::unique_ptr<Store> make_memory_store();

}  // namespace parley::store
