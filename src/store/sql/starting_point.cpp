#include "store/sql/starting_point.hpp"

#include "store/sql/run_rows.hpp"

namespace parley::store::sql {
namespace {

Result<KeptSession> make_session(Connection& connection, const NewRun& wanted)
{
    Session session = new_session_of(wanted);
    const auto position = insert_session(connection, with_messages(session, wanted));
    if (!position) return session_is_there();
    return KeptSession{*position, std::move(session)};
}

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

}  // namespace

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

Session new_session_of(const NewRun& wanted)
{
    Session session = *wanted.new_session;
    session.owner = wanted.run.owner;
    make_new(session);
    if (takes_title(session, wanted)) {
        session.title = wanted.title;
        session.title_key = wanted.title_key;
    }
    return session;
}

}  // namespace parley::store::sql
