// Rules for sessions, messages and runs, shared by all stores.
#pragma once

#include "store/key_rules.hpp"
#include "store/refusals.hpp"
#include "store/runs.hpp"
#include "store/times.hpp"

#include <stdexcept>
#include <utility>

namespace parley::store {

// Sets the initial values of a session.
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
    session.keep = change.keep.value_or(session.keep);
    if (change.instructions) session.instructions = *change.instructions;
    if (change.model) session.model = *change.model;
    if (change.metadata) session.metadata = *change.metadata;
    session.updated_at = to_the_millisecond(change.now);
    ++session.revision;
}

// Whether the session takes its title from this question.
inline bool takes_title(const Session& session, const NewRun& run)
{
    return session.message_count == 0 && !session.title_was_set && !run.title.empty();
}

// The new question; there is none only if a question is answered again.
inline const Message& question_of(const NewRun& run)
{
    if (!run.question) throw std::logic_error("a run is begun without a question");
    return *run.question;
}

// The message that a placement names; null if it names none.
inline const std::string* message_named_by(const Placement& placement)
{
    if (const auto* under = std::get_if<ReplyTo>(&placement)) return &under->parent;
    if (const auto* again = std::get_if<Regenerate>(&placement)) return &again->question;
    return nullptr;
}

// The id of the question: the message itself, or the one that it answers; nothing for an answer
// without one.
inline std::optional<std::string> question_at(const Message& message)
{
    return message.speaker == Speaker::user ? message.id : message.parent;
}

// Whether a run may begin there. `at` is the message that it names; for AfterNewest, the
// newest one, if there is one. `is_answering`: a run answers the question at that message.
inline Result<> may_begin(const Placement& placement, const Message* at, bool is_answering,
                          const Session& session)
{
    if (!at) return {};
    const bool is_question = at->speaker == Speaker::user;
    if (std::holds_alternative<AfterNewest>(placement) && (is_question || is_answering))
        return session_is_busy(session.active_runs);
    if (std::holds_alternative<ReplyTo>(placement) && is_question)
        return wrong_parent("must name an answer; omit the message to answer this question again");
    if (std::holds_alternative<Regenerate>(placement) && !is_question) return not_a_question();
    return {};
}

// For the same request as a run that has freed its key: answers the question of that run again.
inline NewRun asked_again(NewRun wanted, const Run& failed)
{
    wanted.run.session = failed.session;
    wanted.new_session.reset();
    wanted.earlier.clear();
    wanted.question.reset();
    wanted.images.clear();
    wanted.placement = Regenerate{failed.question};
    return wanted;
}

// The initial run for a question in a session.
inline Run begun(const NewRun& wanted, const Session& session, const std::string& question)
{
    Run run = wanted.run;
    run.session = session.id;
    run.question = question;
    run.created_at = to_the_millisecond(run.created_at);
    run.started_at = to_the_millisecond(run.started_at);
    run.completed_at.reset();
    run.usage.reset();
    run.error.reset();
    run.last_number = 0;
    run.kept_since.reset();
    run.frees_key = false;
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
    if (!finished.events.empty()) run.kept_since = to_the_millisecond(finished.kept_since);
    run.frees_key = finished.frees_key;
}

// The answer of a finished run, without its place in the tree.
inline Message answer_of(const Run& run, const FinishedRun& finished)
{
    Message answer = finished.answer;
    answer.id = run.answer;
    answer.run = run.id;
    answer.speaker = Speaker::assistant;
    return answer;
}

// The approximate size of an item as JSON.
inline constexpr std::size_t size_of_fields = 600;

inline std::size_t page_bytes(const Metadata& metadata)
{
    std::size_t size = 0;
    for (const auto& [key, value] : metadata)
        size += json::quoted_size(key) + json::quoted_size(value) + 2;
    return size;
}
inline std::size_t page_bytes(const Message& message)
{
    constexpr std::size_t of_image = 256;
    return size_of_fields + size_of_texts(message.parts) + message.images.size() * of_image +
           page_bytes(message.metadata);
}
inline std::size_t page_bytes(const PlacedMessage& placed)
{
    return page_bytes(placed.message) + size_of_texts(placed.siblings);
}
inline std::size_t page_bytes(const Session& session)
{
    return size_of_fields + json::quoted_size(session.title) + page_bytes(session.metadata) +
           json::quoted_size(session.instructions.value_or("")) +
           size_of_texts(session.active_runs);
}
inline std::size_t page_bytes(const RunWithMessages& whole)
{
    // The store does not know how much of an unfinished answer is written.
    constexpr std::size_t unfinished = std::size_t{64} * 1024;
    return size_of_fields + page_bytes(whole.question) + page_bytes(whole.run.metadata) +
           (whole.run.error ? whole.run.error->detail.size() : 0) +
           (whole.answer ? page_bytes(*whole.answer) : unfinished);
}

}  // namespace parley::store
