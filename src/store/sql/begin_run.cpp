#include "store/sql/begin_run.hpp"

#include "fields/write.hpp"
#include "store/sql/attempts.hpp"
#include "store/sql/budgets.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/images.hpp"
#include "store/sql/people.hpp"
#include "store/sql/replicas.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/turns.hpp"

namespace parley::store::sql {
namespace {

Result<RunWithMessages> replay(Connection& connection, const std::string& run)
{
    auto found = find_run(connection, run);
    if (!found) return not_found("The run");
    return whole(connection, std::move(*found));
}

// The session after its first messages: so it need not be changed for each of them.
Session with_messages(Session session, const NewRun& wanted)
{
    const Message& newest = question_of(wanted);
    session.message_count = std::ssize(wanted.earlier) + 1;
    session.newest_message = newest.id;
    session.updated_at = wanted.run.created_at;
    session.last_message_at = wanted.run.created_at;
    session.revision += session.message_count;
    return session;
}

Result<KeptSession> make_session(Connection& connection, const NewRun& wanted)
{
    Session session = *wanted.new_session;
    session.owner = wanted.run.owner;
    make_new(session);
    if (takes_title(session, wanted)) {
        session.title = wanted.title;
        session.title_key = wanted.title_key;
    }
    const auto position = insert_session(connection, with_messages(session, wanted));
    if (!position) return session_is_there();
    return KeptSession{*position, std::move(session)};
}

// The session that the run is to be in, and the message after which it begins: the one that its
// placement names; for AfterNewest, the newest; for NewRoot none.
struct StartingPoint {
    KeptSession session = {};
    std::optional<KeptMessage> message = {};
    bool is_answering = false;  // A run answers the question there.
};

bool is_being_answered(Connection& connection, const KeptMessage& message)
{
    const bool is_question = message.message.speaker == Speaker::user;
    const auto question = is_question ? std::optional(message.position) : message.parent;
    if (!question) return false;
    Query select = connection.query(
        "SELECT 1 FROM runs INDEXED BY unfinished_runs"
        " WHERE session = ?1 AND completed_ms IS NULL AND question = ?2");
    return select.bind(message.session, *question).next();
}

// A message that is not there: perhaps one that is being written.
Error missing(Connection& connection, const NewRun& wanted, const std::string& message)
{
    const auto writing = find_writing_run(connection, wanted.run.owner, message);
    const bool is_elsewhere =
        writing && !wanted.run.session.empty() && wanted.run.session != writing->run.session;
    if (!writing || is_elsewhere) return not_found("The message");
    if (std::holds_alternative<Regenerate>(wanted.placement)) return not_a_question();
    const auto session = find_session(connection, wanted.run.owner, writing->run.session);
    if (!session) return not_found("The message");
    return session_is_busy(session->session.active_runs);
}

Result<StartingPoint> starting_point_of(Connection& connection, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    StartingPoint start;
    std::string session_id = wanted.run.session;
    if (const std::string* id = message_named_by(wanted.placement)) {
        start.message = find_message(connection, owner, *id);
        if (!start.message) {
            Error error = missing(connection, wanted, *id);
            // Its run may have ended between the two queries.
            start.message = find_message(connection, owner, *id);
            if (!start.message) return error;
        }
        if (session_id.empty()) session_id = start.message->message.session;
    }
    if (wanted.new_session) {
        auto made = make_session(connection, wanted);
        if (!made) return made.error();
        start.session = std::move(*made);
    } else {
        connection.lock(Lock::session, {session_id});
        auto found = find_session(connection, owner, session_id);
        if (!found) return not_found("The session");
        start.session = std::move(*found);
    }
    if (start.message && start.message->session != start.session.position)
        return not_found("The message");
    const auto& newest = start.session.session.newest_message;
    if (std::holds_alternative<AfterNewest>(wanted.placement) && newest)
        start.message = find_message(connection, *newest);
    start.is_answering = start.message && is_being_answered(connection, *start.message);
    return start;
}

// The columns of a new run that are not in the run itself.
struct RunPlace {
    std::int64_t session = 0;
    std::int64_t question = 0;
    std::int64_t owner = 0;
    std::int64_t replica = 0;
    std::int64_t reserved = 0;
};

bool insert_run(Connection& connection, const RunPlace& place, const Run& run)
{
    std::optional<std::int64_t> server;
    if (place.replica != 0) server = place.replica;
    Query insert = connection.query(
        "INSERT INTO runs (id, session, question, answer, model, status, created_ms, started_ms,"
        " history_from, last_number, frames_kept, error, metadata, parameters, owner,"
        " request, automation_run, replica, reserved_tokens)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, '', ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        " ON CONFLICT DO NOTHING");
    const std::string metadata = to_text(run.metadata);
    insert.bind(run.id, place.session, place.question, run.answer, run.model,
                fields::name_of(run.status), run.created_at, run.started_at, run.history_from,
                metadata, run.parameters, place.owner, run.cause.request, run.cause.automation_run,
                server, place.reserved);
    return insert.run() > 0;
}

void tell_of_begin(Connection& connection, const Run& run, std::int64_t owner, bool is_new_session)
{
    std::vector<NewEvent> events;
    if (is_new_session) events.push_back({EventType::session_created, run.session});
    events.push_back({EventType::run_created, run.id, run.session});
    tell(connection, run.owner, owner, {run.created_at, run.cause}, events);
}

// A new question, as a later query would read it.
Message stored_question(Connection& connection, const NewRun& wanted, const Session& session,
                        const KeptMessage* above, std::int64_t position)
{
    if (!question_of(wanted).images.empty()) return message_at(connection, position).message;
    Message question = question_of(wanted);
    question.session = session.id;
    question.parent.reset();
    if (above) question.parent = above->message.id;
    question.depth = above ? above->message.depth + 1 : 0;
    question.created_at = to_the_millisecond(question.created_at);
    return question;
}

Result<BegunRun> begin_new(Connection& connection, const NewRun& wanted,
                           const std::optional<Asker>& asker)
{
    if (!asker) return not_found(wanted.new_session ? "The user" : "The session");
    const auto start = starting_point_of(connection, wanted);
    if (!start) return start.error();
    const auto& [position, session] = start->session;
    std::optional<KeptMessage> there = start->message;
    if (auto may = may_begin(wanted.placement, there ? &there->message : nullptr,
                             start->is_answering, session);
        !may)
        return may.error();
    RunPlace place{.session = position, .owner = asker->number, .replica = wanted.replica};
    if (asker->budget) {
        const auto reserved = tokens_to_reserve(connection, wanted.run.owner,
                                                wanted.reserved_tokens, wanted.run.created_at);
        if (!reserved) return reserved.error();
        place.reserved = *reserved;
    }
    store_images(connection, wanted);
    for (const Message& said : wanted.earlier) {
        const auto placed = insert_message(connection, position, there ? &*there : nullptr, said);
        if (!placed) return new_id_is_there();
        if (auto linked = link_images(connection, wanted.run.owner, *placed, said); !linked)
            return linked.error();
        if (!wanted.new_session)
            note_activity(connection, position, {.at = wanted.run.created_at, .message = said.id});
        there = message_at(connection, *placed);
    }
    const KeptMessage* at = there ? &*there : nullptr;

    Activity activity{.at = wanted.run.created_at};
    Message question;
    if (std::holds_alternative<Regenerate>(wanted.placement)) {
        place.question = at->position;
        question = at->message;
    } else {
        const auto placed = insert_message(connection, position, at, question_of(wanted));
        if (!placed) return new_id_is_there();
        if (auto linked = link_images(connection, wanted.run.owner, *placed, question_of(wanted));
            !linked)
            return linked.error();
        place.question = *placed;
        question = stored_question(connection, wanted, session, at, *placed);
        activity.message = question.id;
    }
    if (takes_title(session, wanted)) {
        activity.title = wanted.title;
        activity.title_key = wanted.title_key;
    }
    Run run = begun(wanted, session, question.id);
    if (wanted.line)
        if (auto placed = find_place(connection, run, *wanted.line); !placed) return placed.error();
    const bool waits = wanted.line && run.status == RunStatus::queued;
    if (waits) place.replica = 0;
    if (!insert_run(connection, place, run)) return new_id_is_there();
    RunWithMessages whole{run, std::move(question), std::nullopt};
    if (waits) enter_line(connection, whole, *wanted.line);
    if (!wanted.new_session) note_activity(connection, position, activity);
    if (wanted.key) bind_key(connection, wanted.run.owner, *wanted.key, Keyed::run, run.id);
    tell_of_begin(connection, run, asker->number, wanted.new_session.has_value());

    return BegunRun{std::move(whole), false};
}

}  // namespace

Result<BegunRun> begin(Connection& connection, const NewRun& wanted)
{
    if (auto leased = hold_lease(connection, wanted.replica); !leased) return leased.error();
    if (wanted.key && !wanted.attempt) lock_key(connection, wanted.run.owner, *wanted.key);
    const auto asker = lock_budget(connection, wanted.run.owner);
    if (wanted.attempt)
        return begin_attempt(connection, wanted, [&](Connection& same, const NewRun& attempt) {
            return begin_new(same, attempt, asker);
        });
    if (!wanted.key) return begin_new(connection, wanted, asker);
    auto replayed = find_replay(connection, wanted.run.owner, *wanted.key);
    if (!replayed) return replayed.error();
    if (auto& known = *replayed; known) return BegunRun{std::move(*known), true};
    const auto failed = find_freed_run(connection, wanted.run.owner, *wanted.key);
    const auto run = failed ? find_run(connection, *failed) : std::nullopt;
    return begin_new(connection, run ? asked_again(wanted, run->run) : wanted, asker);
}

Result<std::optional<RunWithMessages>> find_replay(Connection& connection, const Owner& owner,
                                                   const KeyClaim& claim)
{
    const auto made = made_before(connection, owner, claim, Keyed::run);
    if (!made) return made.error();
    if (!*made) return std::optional<RunWithMessages>();
    auto found = replay(connection, made->value());
    if (!found) return found.error();
    return std::optional(std::move(*found));
}

}  // namespace parley::store::sql
