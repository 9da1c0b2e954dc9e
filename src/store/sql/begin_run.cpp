#include "store/sql/begin_run.hpp"

#include "fields/write.hpp"
#include "store/sql/attempts.hpp"
#include "store/sql/budgets.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/first_question.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/images.hpp"
#include "store/sql/people.hpp"
#include "store/sql/replicas.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/starting_point.hpp"
#include "store/sql/turns.hpp"

namespace parley::store::sql {
namespace {

Result<RunWithMessages> replay(Connection& connection, const std::string& run)
{
    auto found = find_run(connection, run);
    if (!found) return not_found("The run");
    return whole(connection, std::move(*found));
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
        "INSERT INTO runs (" NEW_RUN
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 0, 0, '')"
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
    record_events(connection, run.owner, owner, {run.created_at, run.cause}, events);
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

// What is read before anything is decided, in one round trip.
struct FirstLook {
    std::optional<Asker> asker = {};
    std::optional<bool> does_one_wait = {};  // In the line of the run; nothing: not looked for.
    Result<> new_ids = {};                   // Refuses those of a first question that are taken.
};

// Also takes the locks that come first.
Result<FirstLook> look(Connection& connection, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    Lease lease(connection, wanted.replica);
    if (wanted.key && !wanted.attempt) lock_key(connection, owner, *wanted.key);
    std::optional<LineQuery> line;
    if (wanted.line && wanted.run.status == RunStatus::running)
        line.emplace(connection, wanted.run);
    std::optional<NewIds> ids;
    if (is_first_question(connection, wanted)) ids.emplace(connection, wanted);
    FirstLook look{.asker = find_asker(connection, owner)};
    if (auto held = lease.held(); !held) return held.error();
    if (line) look.does_one_wait = line->does_one_wait();
    if (ids) look.new_ids = ids->are_free();
    if (look.asker && look.asker->budget) connection.lock(Lock::budget, {owner.user});
    return look;
}

// Whether the run gets its place later.
bool does_wait(const NewRun& wanted, const Run& run)
{
    return wanted.line && run.status == RunStatus::queued;
}

Result<std::int64_t> reserved_for(Connection& connection, const NewRun& wanted, const Asker& asker)
{
    if (!asker.budget) return std::int64_t{0};
    return tokens_to_reserve(connection, wanted.run.owner, wanted.reserved_tokens,
                             wanted.run.created_at);
}

// The first event of a run that begins now.
std::optional<std::string> first_event_of(const NewRun& wanted, const RunWithMessages& whole)
{
    if (!wanted.line || !wanted.line->first_event || does_wait(wanted, whole.run)) return {};
    return wanted.line->first_event(whole);
}

// Everything that follows the row of the run.
BegunRun complete(Connection& connection, const NewRun& wanted, const Asker& asker, BegunRun begun)
{
    const Run& run = begun.whole.run;
    if (does_wait(wanted, run)) enter_line(connection, begun.whole, *wanted.line);
    if (wanted.key) bind_key(connection, wanted.run.owner, *wanted.key, Keyed::run, run.id);
    tell_of_begin(connection, run, asker.number, wanted.new_session.has_value());
    return begun;
}

// With a session of its own: nothing is waited for but the commit.
Result<BegunRun> begin_first(Connection& connection, const NewRun& wanted, const FirstLook& look)
{
    if (!look.new_ids) return look.new_ids.error();
    const auto reserved = reserved_for(connection, wanted, *look.asker);
    if (!reserved) return reserved.error();
    const Session session = new_session_of(wanted);
    const Message question = stored_question(connection, wanted, session, nullptr, 0);
    Run run = begun(wanted, session, question.id);
    if (wanted.line)
        if (auto placed = find_place(connection, run, *wanted.line, look.does_one_wait); !placed)
            return placed.error();
    BegunRun made{.whole = {run, question, std::nullopt}, .instructions = session.instructions};
    made.first_event = first_event_of(wanted, made.whole);
    const Session after = with_messages(session, wanted);
    FirstQuestion first{.session = after,
                        .question = question,
                        .run = run,
                        .owner = look.asker->number,
                        .reserved = *reserved,
                        .event = made.first_event};
    if (wanted.replica != 0 && !does_wait(wanted, run)) first.replica = wanted.replica;
    insert_first_question(connection, first);
    return complete(connection, wanted, *look.asker, std::move(made));
}

Result<BegunRun> begin_new(Connection& connection, const NewRun& wanted, const FirstLook& look)
{
    const auto& asker = look.asker;
    if (!asker) return not_found(wanted.new_session ? "The user" : "The session");
    if (is_first_question(connection, wanted)) return begin_first(connection, wanted, look);
    const auto start = starting_point_of(connection, wanted);
    if (!start) return start.error();
    const auto& [position, session] = start->session;
    std::optional<KeptMessage> there = start->message;
    if (auto may = may_begin(wanted.placement, there ? &there->message : nullptr,
                             start->is_answering, session);
        !may)
        return may.error();
    RunPlace place{.session = position, .owner = asker->number, .replica = wanted.replica};
    const auto reserved = reserved_for(connection, wanted, *asker);
    if (!reserved) return reserved.error();
    place.reserved = *reserved;
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
        if (auto placed = find_place(connection, run, *wanted.line, look.does_one_wait); !placed)
            return placed.error();
    if (does_wait(wanted, run)) place.replica = 0;
    if (!insert_run(connection, place, run)) return new_id_is_there();
    BegunRun made{.whole = {run, std::move(question), std::nullopt},
                  .instructions = session.instructions};
    made.first_event = first_event_of(wanted, made.whole);
    if (made.first_event) insert_first_event(connection, run.id, *made.first_event);
    if (!wanted.new_session) note_activity(connection, position, activity);
    return complete(connection, wanted, *asker, std::move(made));
}

}  // namespace

Result<BegunRun> begin(Connection& connection, const NewRun& wanted)
{
    const auto looked = look(connection, wanted);
    if (!looked) return looked.error();
    if (wanted.attempt)
        return begin_attempt(connection, wanted, [&](Connection& same, const NewRun& attempt) {
            return begin_new(same, attempt, *looked);
        });
    if (!wanted.key) return begin_new(connection, wanted, *looked);
    auto replayed = find_replay(connection, wanted.run.owner, *wanted.key);
    if (!replayed) return replayed.error();
    if (auto& known = *replayed; known) return BegunRun{std::move(*known), true};
    const auto failed = find_freed_run(connection, wanted.run.owner, *wanted.key);
    const auto run = failed ? find_run(connection, *failed) : std::nullopt;
    return begin_new(connection, run ? asked_again(wanted, run->run) : wanted, *looked);
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
