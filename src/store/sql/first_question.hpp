// A run that begins with its own session: the session, its first question and the run are inserted
// by one statement. It is the most frequent case, and PostgreSQL does most of its work once for
// each statement. For databases that are shared (Connection::is_shared): SQLite has no such
// statements, and needs none.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::store::sql {

// No messages before the question, and no images.
bool is_first_question(const Connection& connection, const NewRun& wanted);

// Whether the ids of a first question are free. Asks when it is made, so that it costs no round
// trip of its own.
class NewIds {
public:
    NewIds(Connection& connection, const NewRun& wanted);

    // To be called once. Fails as begin_run does.
    Result<> are_free();

private:
    Query select_;
};

struct FirstQuestion {
    const Session& session;  // As it is after the question.
    const Message& question;
    const Run& run;
    std::int64_t owner = 0;  // As in `runs`.
    std::optional<std::int64_t> replica = {};
    std::int64_t reserved = 0;
    const std::optional<std::string>& event;  // The first one of the run, if it is to be stored.
};

// The ids must be free; if one is taken meanwhile, the transaction fails and is run again.
void insert_first_question(Connection& connection, const FirstQuestion& first);

}  // namespace parley::store::sql
