// Stored events of ended runs: one row with number 0 (chat/kept_events.hpp). Version 0.1 stored the
// frames themselves, in chunks from number 1 on; those rows are read until they have expired.
#pragma once

#include "store/sql/connection.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::store::sql {

void insert_events(Connection& connection, std::int64_t run, const std::string& events);

// Nothing if there are none, or only old frames.
std::optional<std::string> find_events(Connection& connection, std::int64_t run);

// Old frames after a number, as many as fit into `max_bytes`, but at least one if there is one.
std::vector<std::string> old_frames_after(Connection& connection, std::int64_t run,
                                          std::int64_t after, std::size_t max_bytes);

// Removes events that are stored since before a time; returns the number of runs.
std::size_t forget_events(Connection& connection, TimePoint before, std::size_t most);

}  // namespace parley::store::sql
