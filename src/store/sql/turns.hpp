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

// Whether runs wait in a line. Asks when it is made, so that it costs no round trip of its own.
class LineQuery {
public:
    // The line that this run would be in.
    LineQuery(Connection& connection, const Run& run);
    LineQuery(Connection& connection, bool is_scripted);

    // To be called once.
    bool does_one_wait() { return select_.next(); }

private:
    Query select_;
};

// Decides whether a new run begins now, as it would like to if its status is running, or is queued.
// `does_one_wait` is the answer of a LineQuery, if there was one. Fails with overloaded if the line
// is full.
Result<> find_place(Connection& connection, Run& run, const SharedLine& line,
                    std::optional<bool> does_one_wait = {});

// Stores the first event of a run.
void insert_first_event(Connection& connection, const std::string& run, const std::string& event);

// A run that was stored as queued: stores its first event, and adds its position.
void enter_line(Connection& connection, RunWithMessages& run, const SharedLine& line);

// As Runs::take_turn.
Result<std::optional<RunWithMessages>> take_turn(Connection& connection, const TurnRequest& wanted);

// The positions of those that wait. No effect in a database with one server.
void add_positions(Connection& connection, std::span<RunWithMessages> runs);

}  // namespace parley::store::sql
