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

Result<KeptSession> make_session(Connection& connection, const Owner& owner, Session session)
{
    session.owner = owner;
    make_new(session);
    if (!find_user(connection, session.owner.user)) return not_found("The user");
    const auto position = insert_session(connection, session);
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
        auto made = make_session(connection, owner, *wanted.new_session);
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

bool insert_run(Connection& connection, std::int64_t session, std::int64_t question, const Run& run,
                std::int64_t replica, std::int64_t reserved)
{
    std::optional<std::int64_t> server;
    if (replica != 0) server = replica;
    Query insert = connection.query(
        "INSERT INTO runs (id, session, question, answer, model, status, created_ms, started_ms,"
        " history_from, last_number, frames_kept, error, metadata, parameters, owner,"
        " request, automation_run, replica, reserved_tokens)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, '', ?10, ?11,"
        " (SELECT 2 * position + ?13 FROM users WHERE id = ?12), ?14, ?15, ?16, ?17)"
        " ON CONFLICT DO NOTHING");
    const std::string metadata = to_text(run.metadata);
    insert.bind(run.id, session, question, run.answer, run.model, fields::name_of(run.status),
                run.created_at, run.started_at, run.history_from, metadata, run.parameters,
                run.owner.user, run.owner.test, run.cause.request, run.cause.automation_run, server,
                reserved);
    return insert.run() > 0;
}

void tell_of_begin(Connection& connection, const Run& run, bool is_new_session)
{
    std::vector<NewEvent> events;
    if (is_new_session) events.push_back({EventType::session_created, run.session});
    events.push_back({EventType::run_created, run.id, run.session});
    tell(connection, run.owner, {run.created_at, run.cause}, events);
}

Result<BegunRun> begin_new(Connection& connection, const NewRun& wanted)
{
    const auto start = starting_point_of(connection, wanted);
    if (!start) return start.error();
    const auto& [position, session] = start->session;
    std::optional<KeptMessage> there = start->message;
    if (auto may = may_begin(wanted.placement, there ? &there->message : nullptr,
                             start->is_answering, session);
        !may)
        return may.error();
    const auto reserved = tokens_to_reserve(connection, wanted.run.owner, wanted.reserved_tokens,
                                            wanted.run.created_at);
    if (!reserved) return reserved.error();
    store_images(connection, wanted);
    for (const Message& said : wanted.earlier) {
        const auto placed = insert_message(connection, position, there ? &*there : nullptr, said);
        if (!placed) return new_id_is_there();
        if (auto linked = link_images(connection, wanted.run.owner, *placed, said); !linked)
            return linked.error();
        note_activity(connection, position, {.at = wanted.run.created_at, .message = said.id});
        there = message_at(connection, *placed);
    }
    const KeptMessage* at = there ? &*there : nullptr;

    Activity activity{.at = wanted.run.created_at};
    std::string question_id;
    std::optional<std::int64_t> question;
    if (std::holds_alternative<Regenerate>(wanted.placement)) {
        question = at->position;
        question_id = at->message.id;
    } else {
        question = insert_message(connection, position, at, question_of(wanted));
        question_id = question_of(wanted).id;
        activity.message = question_id;
        if (!question) return new_id_is_there();
        if (auto linked = link_images(connection, wanted.run.owner, *question, question_of(wanted));
            !linked)
            return linked.error();
    }
    if (takes_title(session, wanted)) {
        activity.title = wanted.title;
        activity.title_key = wanted.title_key;
    }
    Run run = begun(wanted, session, question_id);
    if (wanted.line)
        if (auto placed = find_place(connection, run, *wanted.line); !placed) return placed.error();
    const bool waits = wanted.line && run.status == RunStatus::queued;
    if (!insert_run(connection, position, *question, run, waits ? 0 : wanted.replica, *reserved))
        return new_id_is_there();
    RunWithMessages whole{run, message_at(connection, *question).message, std::nullopt};
    if (waits) enter_line(connection, whole, *wanted.line);
    note_activity(connection, position, activity);
    if (wanted.key) bind_key(connection, wanted.run.owner, *wanted.key, Keyed::run, run.id);
    tell_of_begin(connection, run, wanted.new_session.has_value());

    return BegunRun{std::move(whole), false};
}

}  // namespace

Result<BegunRun> begin(Connection& connection, const NewRun& wanted)
{
    if (auto leased = hold_lease(connection, wanted.replica); !leased) return leased.error();
    if (wanted.key && !wanted.attempt) lock_key(connection, wanted.run.owner, *wanted.key);
    lock_budget(connection, wanted.run.owner);
    if (wanted.attempt) return begin_attempt(connection, wanted, begin_new);
    if (!wanted.key) return begin_new(connection, wanted);
    auto replayed = find_replay(connection, wanted.run.owner, *wanted.key);
    if (!replayed) return replayed.error();
    if (auto& known = *replayed; known) return BegunRun{std::move(*known), true};
    const auto failed = find_freed_run(connection, wanted.run.owner, *wanted.key);
    const auto run = failed ? find_run(connection, *failed) : std::nullopt;
    return begin_new(connection, run ? asked_again(wanted, run->run) : wanted);
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
