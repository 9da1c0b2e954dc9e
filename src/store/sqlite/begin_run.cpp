#include "store/sqlite/begin_run.hpp"

#include "base/field_write.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/run_rows.hpp"
#include "store/sqlite/time.hpp"

namespace parley::store::sqlite {
namespace {

Result<BegunRun> replay(Database& database, const std::string& run)
{
    auto found = find_run(database, run);
    if (!found) return not_found("The run");
    return BegunRun{whole(database, std::move(*found)), true};
}

Result<KeptSession> make_session(Database& database, const Owner& owner, Session session)
{
    session.owner = owner;
    make_new(session);
    if (!find_user(database, session.owner.user)) return not_found("The user");
    if (!insert_session(database, session)) return session_is_there();
    return KeptSession{sqlite3_last_insert_rowid(database.handle()), std::move(session)};
}

// The session that the run is to be in, and the message that stands where it begins: the one that
// the place names; for Newest, the newest; for a beginning none.
struct Spot {
    KeptSession session = {};
    std::optional<KeptMessage> message = {};
};

Result<Spot> spot_of(Database& database, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    Spot spot;
    std::string session_id = wanted.run.session;
    if (const std::string* id = message_named_by(wanted.place)) {
        spot.message = find_message(database, owner, *id);
        if (!spot.message) return not_found("The message");
        if (session_id.empty()) session_id = spot.message->message.session;
    }
    if (wanted.new_session) {
        auto made = make_session(database, owner, *wanted.new_session);
        if (!made) return made.error();
        spot.session = std::move(*made);
    } else {
        auto found = find_session(database, owner, session_id);
        if (!found) return not_found("The session");
        spot.session = std::move(*found);
    }
    if (spot.message && spot.message->session != spot.session.position)
        return not_found("The message");
    const auto& newest = spot.session.session.newest_message;
    if (std::holds_alternative<Newest>(wanted.place) && newest)
        spot.message = find_message(database, *newest);
    return spot;
}

bool insert_run(Database& database, std::int64_t session, std::int64_t question, const Run& run)
{
    Query insert = database.query(
        "INSERT INTO runs (id, session, question, answer, model, status, created_ms, started_ms,"
        " history_from, last_number, frames_kept, error, metadata, parameters)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, '', ?10, ?11)");
    const std::string metadata = to_text(run.metadata);
    insert.bind(run.id, session, question, run.answer, run.model, wire::name_of(run.status),
                to_ms(run.created_at), to_ms(run.started_at), run.history_from, metadata,
                run.parameters);
    return insert.run();
}

}  // namespace

Result<BegunRun> begin(Database& database, const NewRun& wanted)
{
    const Owner& owner = wanted.run.owner;
    if (wanted.key) {
        const auto made = made_before(database, owner, *wanted.key, Keyed::run);
        if (!made) return made.error();
        if (*made) return replay(database, **made);
    }

    const auto spot = spot_of(database, wanted);
    if (!spot) return spot.error();
    const auto& [position, session] = spot->session;
    std::optional<KeptMessage> there = spot->message;
    if (auto may = may_begin(wanted.place, there ? &there->message : nullptr, session); !may)
        return may.error();
    for (const Message& said : wanted.earlier) {
        const auto placed = insert_message(database, position, there ? &*there : nullptr, said);
        if (!placed) return new_id_is_there();
        note_activity(database, position, {.at = wanted.run.created_at, .message = said.id});
        there = message_at(database, *placed);
    }
    const KeptMessage* at = there ? &*there : nullptr;

    Activity activity{.at = wanted.run.created_at};
    std::string question_id;
    std::optional<std::int64_t> question;
    if (std::holds_alternative<Again>(wanted.place)) {
        question = at->position;
        question_id = at->message.id;
    } else {
        question = insert_message(database, position, at, question_of(wanted));
        question_id = question_of(wanted).id;
        activity.message = question_id;
    }
    if (takes_title(session, wanted)) {
        activity.title = wanted.title;
        activity.title_key = wanted.title_key;
    }
    const Run run = begun(wanted, session, question_id);
    if (!question || !insert_run(database, position, *question, run)) return new_id_is_there();
    note_activity(database, position, activity);
    if (wanted.key) bind_key(database, owner, *wanted.key, Keyed::run, run.id);

    return BegunRun{{run, message_at(database, *question).message, std::nullopt}, false};
}

}  // namespace parley::store::sqlite
