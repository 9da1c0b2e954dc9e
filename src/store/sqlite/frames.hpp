// The frames of ended runs in SQLite: one after the other in chunks of a limited size, so that a
// stream that is resumed reads them piece by piece.
#pragma once

#include "store/sqlite/database.hpp"

#include <string>
#include <vector>

namespace parley::store::sqlite {

// All frames of the run at this position, from number 1.
void insert_frames(Database& database, std::int64_t run, const std::vector<std::string>& frames);

// Those after a number, as many as fit into `max_bytes`, but at least one if there is one.
std::vector<std::string> frames_after(Database& database, std::int64_t run, std::int64_t after,
                                      std::size_t max_bytes);

// Forgets the frames of runs that ended before a time; gives how many runs those were.
std::size_t forget_frames(Database& database, std::int64_t before_ms, std::size_t most);

}  // namespace parley::store::sqlite
