// A store without persistence, for trying Parley out and for tests of other rooms: a SQLite
// database in memory with one thread, which writes and reads.
#pragma once

#include "store/store.hpp"

#include <memory>

namespace parley::store {

std::unique_ptr<Store> make_memory_store();

}  // namespace parley::store
