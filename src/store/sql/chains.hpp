// Automations that hear each other's events: all rows that have one cause, the root, are counted.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

#include <string>

namespace parley::store::sql {

// The root of the event that was heard: a row that no event has started, or else an event.
std::string root_of(Connection& connection, const Owner& owner, const HeardEvents& heard);

enum class NextRow { due, skipped, none };
// How one more row of this root is to be entered.
NextRow next_row_of(Connection& connection, const std::string& root);

void set_root(Connection& connection, const std::string& row, const std::string& root);

}  // namespace parley::store::sql
