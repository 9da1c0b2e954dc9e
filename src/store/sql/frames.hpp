// What is kept of the events of ended runs: a row of number 0 with what the rules need to
// tell them again. Version 0.1 kept the frames themselves, in chunks from number 1 on; those rows
// are read until they have expired.
#pragma once

#include "store/sql/connection.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::store::sql {

void insert_events(Connection& connection, std::int64_t run, const std::string& events);

// Nothing where there are none, or old frames instead.
std::optional<std::string> find_events(Connection& connection, std::int64_t run);

// Old frames after a number, as many as fit into `max_bytes`, but at least one if there is one.
std::vector<std::string> old_frames_after(Connection& connection, std::int64_t run,
                                          std::int64_t after, std::size_t max_bytes);

// Forgets events that are kept since before a time; gives of how many runs.
std::size_t forget_events(Connection& connection, TimePoint before, std::size_t most);

}  // namespace parley::store::sql
