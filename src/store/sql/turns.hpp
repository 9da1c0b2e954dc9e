// The line of runs that wait for a place on one of several servers. A waiting run is a row with the
// status queued that belongs to no server, or to one that is fenced. A place is a row with the
// status running: so a place is taken and given back with the run itself, also if its server dies,
// and a run that is taken over keeps its place.
//
// For databases that are shared (Connection::is_shared); places are taken under Lock::turns.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"

#include <optional>
#include <span>

namespace parley::store::sql {

// Decides whether a new run begins now, as it would like to if its status is running, or is queued.
// Fails with overloaded if the line is full.
Result<> find_place(Connection& connection, Run& run, const SharedLine& line);

// A run that was stored as queued: stores its first event, and adds its position.
void enter_line(Connection& connection, RunWithMessages& run, const SharedLine& line);

// As Runs::take_turn.
Result<std::optional<RunWithMessages>> take_turn(Connection& connection, const TurnRequest& wanted);

// The positions of those that wait. No effect in a database with one server.
void add_positions(Connection& connection, std::span<RunWithMessages> runs);

}  // namespace parley::store::sql
