#include "store/sql/remove_run.hpp"

#include "store/refusals.hpp"
#include "store/sql/images.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/session_removal.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace parley::store::sql {
namespace {

// A question is kept if it has another answer, or is being answered again.
bool has_other_answers(Connection& connection, const KeptRun& kept)
{
    Query runs = connection.query(
        "SELECT 1 FROM runs INDEXED BY runs_of_session"
        " WHERE session = ?1 AND question = ?2 AND position <> ?3");
    if (runs.bind(kept.session, kept.question, kept.position).next()) return true;
    Query messages = connection.query(
        "SELECT 1 FROM messages INDEXED BY siblings"
        " WHERE session = ?1 AND parent = ?2 AND id <> ?3");
    return messages.bind(kept.session, kept.question, kept.run.answer).next();
}

bool has_other_children(Connection& connection, const KeptMessage& parent, std::int64_t child)
{
    Query select = connection.query(
        "SELECT 1 FROM messages INDEXED BY siblings"
        " WHERE session = ?1 AND parent = ?2 AND position <> ?3");
    return select.bind(parent.session, parent.position, child).next();
}

// The highest of the messages that were stored together with a question: they came with it, and
// have no other reader.
KeptMessage first_stored_with(Connection& connection, KeptMessage question)
{
    while (question.parent) {
        KeptMessage above = message_at(connection, *question.parent);
        const bool came_with_it =
            above.message.created_at == question.message.created_at && !above.message.run;
        if (!came_with_it || has_other_children(connection, above, question.position)) break;
        question = std::move(above);
    }
    return question;
}

// The message that is removed with everything below it; nothing if the run has no answer yet, and
// its question stays.
std::optional<KeptMessage> top_of(Connection& connection, const KeptRun& kept)
{
    if (has_other_answers(connection, kept)) return find_message(connection, kept.run.answer);
    return first_stored_with(connection, message_at(connection, kept.question));
}

// By branch, the depth from which on.
using Subtree = std::map<std::int64_t, std::int64_t>;

std::int64_t count_messages(Connection& connection, const Subtree& subtree)
{
    std::int64_t count = 0;
    for (const auto& [branch, depth] : subtree) {
        Query select =
            connection.query("SELECT count(*) FROM messages WHERE branch = ?1 AND depth >= ?2");
        select.bind(branch, depth).next();
        count += select.only<std::int64_t>();
    }
    return count;
}

std::int64_t remove_messages(Connection& connection, const Subtree& subtree)
{
    std::size_t removed = 0;
    for (const auto& [branch, depth] : subtree) {
        Query messages = connection.query("DELETE FROM messages WHERE branch = ?1 AND depth >= ?2");
        removed += messages.bind(branch, depth).run();
        Query branches =
            connection.query("DELETE FROM branches WHERE branch = ?1 AND first_depth >= ?2");
        branches.bind(branch, depth).run();
    }
    return static_cast<std::int64_t>(removed);
}

struct RemovedRunColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::string> automation_run{*in, "automation_run"};
};

// The runs without a question, and this one, as far as they have not ended.
struct ActiveRuns {
    std::vector<std::string> ids = {};
    bool has_attempt = false;  // An automation waits for one of them.
};

ActiveRuns active_among_removed(Connection& connection, const KeptRun& kept)
{
    ActiveRuns active;
    Query select = connection.query(
        "SELECT id, automation_run"
        " FROM runs INDEXED BY unfinished_runs WHERE session = ?1 AND completed_ms IS NULL"
        " AND (position = ?2 OR question NOT IN (SELECT position FROM messages WHERE session = ?1))"
        " ORDER BY position");
    select.bind(kept.session, kept.position);
    while (select.next()) {
        const auto& at = select.columns<RemovedRunColumns>();
        active.has_attempt |= !select[at.automation_run].empty();
        active.ids.push_back(select[at.id]);
    }
    return active;
}

void remove_runs(Connection& connection, const KeptRun& kept)
{
    Query runs = connection.query(
        "DELETE FROM runs WHERE session = ?1 AND (position = ?2"
        " OR question NOT IN (SELECT position FROM messages WHERE session = ?1))");
    runs.bind(kept.session, kept.position).run();
}

void note_removal(Connection& connection, std::int64_t session, std::int64_t messages, TimePoint at)
{
    Query update = connection.query(
        "UPDATE sessions SET message_count = message_count - ?2, newest_message ="
        " (SELECT id FROM messages WHERE position ="
        " (SELECT max(position) FROM messages WHERE session = ?1)),"
        " updated_ms = ?3, revision = revision + 1 WHERE position = ?1");
    update.bind(session, messages, at).run();
}

// Also if none was active: the models of other servers may have the conversation in their caches.
void notify_replicas(Connection& connection, const Owner& owner, const RemovedRun& removed)
{
    std::string subject = owner.user + "/" + removed.session;
    for (const std::string& run : removed.active) subject += "/" + run;
    connection.notify_replicas(Notice::runs, subject);
}

}  // namespace

Result<RunRemoval> remove(Connection& connection, const Owner& owner, const std::string& run,
                          const Occasion& occasion)
{
    auto kept = find_run(connection, run);
    if (!kept || kept->run.owner != owner) return not_found("The run");
    const std::string id = kept->run.session;
    connection.lock(Lock::automations_of_session, {id});
    connection.lock(Lock::session, {id});
    kept = find_run(connection, run);  // Read again, now that it is locked.
    const auto session = find_session(connection, owner, id);
    if (!kept || !session) return not_found("The run");

    const auto top = top_of(connection, *kept);
    const Subtree subtree = top ? branches_below(connection, *top) : Subtree();
    if (count_messages(connection, subtree) == session->session.message_count)
        return RunRemoval{.removed = {.session = id,
                                      .active = session->session.active_runs,
                                      .removed_session = true},
                          .has_hidden = remove_session(connection, *session, occasion)};
    const SessionImages images(connection, *session);
    const std::int64_t removed = remove_messages(connection, subtree);
    images.remove_unused();
    ActiveRuns active = active_among_removed(connection, *kept);
    RemovedRun result{.session = id, .active = std::move(active.ids)};
    if (active.has_attempt)
        return Error{Errc::conflict, "An automation waits for this run: cancel it first."};
    remove_runs(connection, *kept);
    note_removal(connection, session->position, removed, occasion.at);
    std::vector<NewEvent> events;
    events.reserve(result.active.size() + 1);
    for (const std::string& ended : result.active)
        events.push_back({EventType::run_cancelled, ended, result.session});
    events.push_back({EventType::session_updated, result.session});
    record_events(connection, owner, occasion, events);
    notify_replicas(connection, owner, result);
    return RunRemoval{std::move(result)};
}

}  // namespace parley::store::sql
