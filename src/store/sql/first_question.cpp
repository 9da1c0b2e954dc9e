#include "store/sql/first_question.hpp"

#include "fields/write.hpp"
#include "store/sql/chats.hpp"
#include "store/sql/packed_texts.hpp"
#include "store/sql/run_rows.hpp"

namespace parley::store::sql {
namespace {

struct TakenColumns {
    const Statement* in;
    Column<bool> session{*in, "session_is_taken"};
    Column<bool> other{*in, "other_is_taken"};
};

}  // namespace

bool is_first_question(const Connection& connection, const NewRun& wanted)
{
    return connection.is_shared() && wanted.new_session && wanted.earlier.empty() &&
           wanted.question && wanted.question->images.empty() &&
           !message_named_by(wanted.placement);
}

NewIds::NewIds(Connection& connection, const NewRun& wanted)
    : select_(connection.query("SELECT CASE WHEN EXISTS (SELECT 1 FROM sessions WHERE id = ?1)"
                               " THEN 1 ELSE 0 END AS session_is_taken,"
                               " CASE WHEN EXISTS (SELECT 1 FROM messages WHERE id = ?2)"
                               " OR EXISTS (SELECT 1 FROM runs WHERE id = ?3)"
                               " OR EXISTS (SELECT 1 FROM runs WHERE answer = ?4)"
                               " THEN 1 ELSE 0 END AS other_is_taken"))
{
    select_.bind(wanted.new_session->id, question_of(wanted).id, wanted.run.id, wanted.run.answer);
    select_.ask();
}

Result<> NewIds::are_free()
{
    select_.next();
    const auto& at = select_.columns<TakenColumns>();
    if (select_[at.session]) return session_is_there();
    if (select_[at.other]) return new_id_is_there();
    return {};
}

void insert_first_question(Connection& connection, const FirstQuestion& first)
{
    const auto& [session, question, run, owner, replica, reserved, event] = first;
    std::optional<std::string_view> stop_reason;
    if (question.stop_reason) stop_reason = fields::name_of(*question.stop_reason);
    const std::string of_session = to_text(session.metadata);
    const std::string of_question = to_text(question.metadata);
    const std::string of_run = to_text(run.metadata);
    const std::string parts = pack(question.parts);
    Query insert = connection.query(
        "WITH new_session AS (INSERT INTO sessions (" NEW_SESSION
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?43) RETURNING position),"
        " new_branch AS (INSERT INTO branches (session, first_depth)"
        " SELECT position, 0 FROM new_session RETURNING branch, session),"
        " new_question AS (INSERT INTO messages (" NEW_MESSAGE
        ") SELECT ?19, session, CAST(NULL AS bigint), branch, 0, ?20, ?21, ?22, ?23, ?24, ?25, ?26,"
        " ?27 FROM new_branch RETURNING position, session),"
        " new_run AS (INSERT INTO runs (" NEW_RUN
        ") SELECT ?28, session, position, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39,"
        " ?40, ?41, 0, 0, CAST('' AS bytea) FROM new_question RETURNING position)"
        " INSERT INTO run_events (run, number, frame)"
        " SELECT position, 1, ?42 FROM new_run WHERE ?42 IS NOT NULL");
    insert.bind(session.id, session.owner.user, session.owner.test, session.archived,
                session.message_count, session.newest_message, session.created_at,
                session.updated_at, session.last_message_at, session.revision, session.title,
                session.title_key, session.title_was_set, session.model, of_session,
                session.instructions, session.automation, session.keep, question.id,
                fields::name_of(question.speaker), question.created_at, stop_reason, question.model,
                question.run, question.structured, of_question, Blob{parts}, run.id, run.answer,
                run.model, fields::name_of(run.status), run.created_at, run.started_at,
                run.history_from, of_run, run.parameters, owner, run.cause.request,
                run.cause.automation_run, replica, reserved, event);
    insert.bind_activity(43, connection).send();
}

}  // namespace parley::store::sql
