// What holds for sessions, messages and runs in every store, so that no two of them disagree.
#pragma once

#include "store/key_rules.hpp"
#include "store/refusals.hpp"
#include "store/runs.hpp"
#include "store/times.hpp"

#include <stdexcept>
#include <utility>

namespace parley::store {

// A session as it is when it is made.
inline void make_new(Session& session)
{
    session.created_at = to_the_millisecond(session.created_at);
    session.updated_at = to_the_millisecond(session.updated_at);
    session.last_message_at.reset();
    session.message_count = 0;
    session.newest_message.reset();
    session.active_runs.clear();
    session.revision = 1;
}

inline void apply(Session& session, const SessionChange& change)
{
    if (change.title) {
        session.title = *change.title;
        session.title_was_set = true;
    }
    if (change.title_key) session.title_key = *change.title_key;
    session.archived = change.archived.value_or(session.archived);
    if (change.instructions) session.instructions = *change.instructions;
    if (change.model) session.model = *change.model;
    if (change.metadata) session.metadata = *change.metadata;
    session.updated_at = to_the_millisecond(change.now);
    ++session.revision;
}

// Whether the session is now called as the first question suggests.
inline bool takes_title(const Session& session, const NewRun& run)
{
    return session.message_count == 0 && !session.title_was_set && !run.title.empty();
}

// The new one; only where a question is answered again there is none.
inline const Message& question_of(const NewRun& run)
{
    if (!run.question) throw std::logic_error("a run is begun without a question");
    return *run.question;
}

// The message that a place names; nothing where it names none.
inline const std::string* message_named_by(const Place& place)
{
    if (const auto* under = std::get_if<Under>(&place)) return &under->parent;
    if (const auto* again = std::get_if<Again>(&place)) return &again->question;
    return nullptr;
}

// Whether a run may begin there. `at` is the message that the place names; for Newest, the newest
// one, if there is one.
inline Result<> may_begin(const Place& place, const Message* at, const Session& session)
{
    if (!at) return {};
    const bool is_question = at->speaker == Speaker::user;
    if (std::holds_alternative<Newest>(place) && is_question)
        return session_is_busy(session.active_runs);
    if (std::holds_alternative<Under>(place) && is_question)
        return wrong_parent("must name an answer; leave the message out to answer this one again");
    if (std::holds_alternative<Again>(place) && !is_question)
        return wrong_parent("must name a message of role user, to be answered once more");
    return {};
}

// The run as it is when it begins in a session with a question.
inline Run begun(const NewRun& wanted, const Session& session, const std::string& question)
{
    Run run = wanted.run;
    run.session = session.id;
    run.question = question;
    run.created_at = to_the_millisecond(run.created_at);
    run.started_at = to_the_millisecond(run.started_at);
    run.completed_at.reset();
    run.usage.reset();
    run.error.clear();
    run.last_number = 0;
    return run;
}

// The run once it has ended.
inline void finish(Run& run, const FinishedRun& finished)
{
    run.status = finished.status;
    run.started_at = to_the_millisecond(finished.started_at);
    run.completed_at = to_the_millisecond(finished.completed_at);
    run.usage = finished.usage;
    run.error = finished.error;
    run.history_from = finished.history_from;
    run.last_number = finished.last_number;
}

// The message that a finished run leaves, but for its place in the tree.
inline Message answer_of(const Run& run, const FinishedRun& finished)
{
    Message answer = finished.answer;
    answer.id = run.answer;
    answer.run = run.id;
    answer.speaker = Speaker::assistant;
    return answer;
}

}  // namespace parley::store
