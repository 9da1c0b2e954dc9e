// Rows of runs, shared by several use cases.
#pragma once

#include "store/runs.hpp"
#include "store/sql/chats.hpp"

#define RUN_COLUMNS                                                                         \
    "runs.position, runs.session, runs.question, runs.id, sessions.user AS of_user,"        \
    " sessions.test, sessions.id AS session_id, questions.id AS question_id, runs.answer, " \
    "runs.model, runs.status, runs.created_ms,"                                             \
    " runs.started_ms, runs.completed_ms, runs.input_tokens, runs.output_tokens,"           \
    " runs.cached_input_tokens, runs.history_from, runs.last_number, runs.frames_kept,"     \
    " runs.error, runs.metadata, runs.parameters, runs.frees_key, runs.kept_since_ms,"      \
    " runs.request, runs.automation_run"
#define JOIN_RUNS                                                                        \
    " CROSS JOIN sessions ON sessions.position = runs.session AND sessions.removed <> 1" \
    " CROSS JOIN messages AS questions ON questions.position = runs.question"
// Columns of a new row.
#define NEW_RUN                                                                           \
    "id, session, question, answer, model, status, created_ms, started_ms, history_from," \
    " metadata, parameters, owner, request, automation_run, replica, reserved_tokens,"    \
    " last_number, frames_kept, error"

namespace parley::store::sql {

struct KeptRun {
    std::int64_t position = 0;
    std::int64_t session = 0;
    std::int64_t question = 0;
    bool frames_kept = false;
    Run run = {};
};

// For the columns of token usage: NULL if it is unknown.
struct UsageValues {
    explicit UsageValues(const std::optional<Usage>& usage)
    {
        if (!usage) return;
        input = usage->input_tokens;
        output = usage->output_tokens;
        cached = usage->cached_input_tokens;
    }

    std::optional<std::int64_t> input;
    std::optional<std::int64_t> output;
    std::optional<std::int64_t> cached;
};

// For the column `error`. Empty if there is none.
std::string error_text(const std::optional<RunError>& error);
std::optional<RunError> error_of(std::string_view text);

// The row must have RUN_COLUMNS.
KeptRun run_of(const Query& row);

std::optional<KeptRun> find_run(Connection& connection, const std::string& id);

// A run with all that its end needs.
struct UnfinishedRun {
    KeptRun kept = {};
    std::int64_t replica = 0;
    std::int64_t owner = 0;
    KeptMessage question = {};  // Only its place in the tree, and whether it ends its branch.
    bool has_answer = false;    // A message has the id of its answer.
};

std::optional<UnfinishedRun> find_unfinished(Connection& connection, const std::string& id);

// The unfinished one that writes this message.
std::optional<KeptRun> find_writing_run(Connection& connection, const Owner& owner,
                                        const std::string& message);

// With its question and answer.
RunWithMessages whole(Connection& connection, KeptRun kept);

}  // namespace parley::store::sql
