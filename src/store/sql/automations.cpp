#include "store/sql/automations.hpp"

#include "fields/write.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/automation_reads.hpp"
#include "store/sql/automation_removal.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/hook_rows.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/old_secrets.hpp"
#include "store/sql/people.hpp"
#include "store/times.hpp"

namespace parley::store::sql {
namespace {

std::optional<std::string_view> name_of(const std::optional<PauseReason>& reason)
{
    if (!reason) return std::nullopt;
    return fields::name_of(*reason);
}

void insert_definition(Connection& connection, std::int64_t position, const Automation& automation)
{
    Query insert = connection.query(
        "INSERT INTO automation_definitions (automation, revision, definition)"
        " VALUES (?1, ?2, ?3)");
    insert.bind(position, automation.revision, automation.definition).run();
}

std::optional<std::int64_t> insert_automation(Connection& connection, const Automation& made)
{
    Query insert = connection.query(
        "INSERT INTO automations (id, \"user\", test, name, name_key, overlap,"
        " pause_after_failures, output_tokens_per_day, state, pause_reason, session,"
        " evaluated_ms, next_ms, listens, heard_number, created_ms, updated_ms, revision,"
        " failures)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 1,"
        " 0)"
        " ON CONFLICT DO NOTHING");
    insert.bind(made.id, made.owner.user, made.owner.test, made.name, made.name_key,
                fields::name_of(made.overlap), made.pause_after_failures,
                made.output_tokens_per_day, fields::name_of(made.state), name_of(made.pause_reason),
                made.session, made.evaluated_until, made.next_at, made.listens, made.heard_until,
                made.created_at, made.updated_at);
    return insert.insert();
}

std::int64_t count_of(Connection& connection, const Owner& owner)
{
    Query select = connection.query(
        "SELECT count(*) FROM automations INDEXED BY automations_of_user"
        " WHERE automations.user = ?1 AND test = ?2 AND removed = 0");
    select.bind(owner.user, owner.test).next();
    return select.only<std::int64_t>();
}

Result<std::optional<Automation>> automation_of_key(Connection& connection, const Owner& owner,
                                                    const KeyClaim& key)
{
    const auto before = made_before(connection, owner, key, Keyed::automation);
    if (!before) return before.error();
    if (!*before) return std::optional<Automation>();
    auto found = find_automation(connection, owner, **before);
    if (!found) return not_found("The automation");
    return std::optional(std::move(found->automation));
}

Result<Automations::Created> create_new(Connection& connection, Automation made, std::size_t most,
                                        const std::optional<KeyClaim>& key, const Cause& cause)
{
    if (key) {
        lock_key(connection, made.owner, *key);
        auto before = automation_of_key(connection, made.owner, *key);
        if (!before) return before.error();
        if (*before) return Automations::Created{std::move(**before), true};
    }
    connection.lock(Lock::user, {made.owner.user});
    if (!find_user(connection, made.owner.user)) return not_found("The user");
    if (count_of(connection, made.owner) >= static_cast<std::int64_t>(most))
        return too_many_automations(most);
    made.heard_until = latest_number(connection, made.owner);
    const auto position = insert_automation(connection, made);
    if (!position) return new_id_is_there();
    insert_definition(connection, *position, made);
    save_hook(connection, *position, made.hook);
    if (key) bind_key(connection, made.owner, *key, Keyed::automation, made.id);
    record_events(connection, made.owner, {made.created_at, cause},
                  {{{EventType::automation_created, made.id}}});
    return Automations::Created{made, false};
}

Result<Automation> require_automation(Connection& connection, const Owner& owner,
                                      const std::string& id)
{
    auto found = find_automation(connection, owner, id);
    if (!found) return not_found("The automation");
    return std::move(found->automation);
}

// Revisions to which no row points any more.
void forget_definitions(Connection& connection, std::int64_t position, std::int64_t current)
{
    Query remove = connection.query(
        "DELETE FROM automation_definitions WHERE automation = ?1 AND revision < ?2"
        " AND NOT EXISTS (SELECT 1 FROM automation_runs"
        " WHERE automation_runs.automation = automation_definitions.automation"
        " AND automation_runs.revision = automation_definitions.revision)");
    remove.bind(position, current).run();
}

void update(Connection& connection, std::int64_t position, const Automation& changed)
{
    Query update = connection.query(
        "UPDATE automations SET name = ?2, name_key = ?3, overlap = ?4,"
        " pause_after_failures = ?5, output_tokens_per_day = ?6, state = ?7, pause_reason = ?8,"
        " session = ?9, evaluated_ms = ?10, next_ms = ?11, updated_ms = ?12, revision = ?13,"
        " failures = ?14, listens = ?15, heard_number = ?16 WHERE position = ?1");
    update.bind(position, changed.name, changed.name_key, fields::name_of(changed.overlap),
                changed.pause_after_failures, changed.output_tokens_per_day,
                fields::name_of(changed.state), name_of(changed.pause_reason), changed.session,
                changed.evaluated_until, changed.next_at, changed.updated_at, changed.revision,
                changed.failures, changed.listens, changed.heard_until);
    update.run();
}

Result<Automation> change_one(Connection& connection, const AutomationChange& change)
{
    const Automation& wanted = change.automation;
    connection.lock(Lock::automation, {wanted.id});
    const auto found = find_automation(connection, wanted.owner, wanted.id);
    if (!found) return not_found("The automation");
    const Automation& before = found->automation;
    if (before.revision != change.seen) return automation_was_changed();
    if (change.is_due_anew && before.state != change.seen_state) return automation_was_changed();
    Automation changed = wanted;
    changed.created_at = before.created_at;
    changed.updated_at = to_the_millisecond(wanted.updated_at);
    changed.revision = before.revision + 1;
    changed.last_run = before.last_run;
    changed.failures = change.forgets_failures ? 0 : before.failures;
    changed.heard_until = latest_number(connection, changed.owner);
    if (!change.is_due_anew) {
        changed.evaluated_until = before.evaluated_until;
        changed.next_at = before.next_at;
        changed.listens = before.listens;
        changed.heard_until = before.heard_until;
        changed.state = before.state;  // A failed run may have paused it meanwhile.
        changed.pause_reason = before.pause_reason;
    }
    if (!change.sets_session) changed.session = before.session;
    update(connection, found->position, changed);
    insert_definition(connection, found->position, changed);
    if (changed.hook != before.hook) save_hook(connection, found->position, changed.hook);
    forget_definitions(connection, found->position, changed.revision);
    std::vector<NewEvent> events;
    const bool was_paused = before.state == AutomationState::paused;
    const bool is_paused = changed.state == AutomationState::paused;
    if (change.is_edited) events.push_back({EventType::automation_updated, changed.id});
    if (is_paused && !was_paused) events.push_back({EventType::automation_paused, changed.id});
    if (was_paused && !is_paused) events.push_back({EventType::automation_resumed, changed.id});
    record_events(connection, changed.owner, {changed.updated_at, change.cause}, events);
    return changed;
}

void round_times(std::optional<Hook>& hook)
{
    if (!hook) return;
    sql::round_times(hook->old);
    hook->created_at = to_the_millisecond(hook->created_at);
}

}  // namespace

Task<Result<Automations::Created>> SqlAutomations::create(Automation made, std::size_t most,
                                                          std::optional<KeyClaim> key, Cause cause,
                                                          std::optional<AuditEvent> audit)
{
    made.created_at = to_the_millisecond(made.created_at);
    made.updated_at = to_the_millisecond(made.updated_at);
    made.evaluated_until = to_the_millisecond(made.evaluated_until);
    made.revision = 1;
    made.failures = 0;
    made.last_run.reset();
    round_times(made.hook);
    return writes_.run<Created>(
        audited(std::move(audit), [made = std::move(made), most, key = std::move(key),
                                   cause = std::move(cause)](Connection& connection) {
            return create_new(connection, made, most, key, cause);
        }));
}

Task<Result<std::optional<Automation>>> SqlAutomations::find_replay(Owner owner, KeyClaim key)
{
    return reads_.run<std::optional<Automation>>(
        [owner = std::move(owner), key = std::move(key)](Connection& connection) {
            return automation_of_key(connection, owner, key);
        });
}

Task<Result<Automation>> SqlAutomations::find(Owner owner, std::string id)
{
    return reads_.run<Automation>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return require_automation(connection, owner, id);
        });
}

Task<Result<AutomationPage>> SqlAutomations::list(Owner owner, AutomationFilter filter,
                                                  std::optional<Position> after, std::size_t limit)
{
    const Position from = after.value_or(std::numeric_limits<Position>::max());
    return reads_.run<AutomationPage>([owner = std::move(owner), filter = std::move(filter), from,
                                       limit](Connection& connection) {
        return page_after(connection, owner, filter, from, limit);
    });
}

Task<Result<Automation>> SqlAutomations::change(AutomationChange change)
{
    change.automation.evaluated_until = to_the_millisecond(change.automation.evaluated_until);
    round_times(change.automation.hook);
    auto audit = std::move(change.audit);
    return writes_.run<Automation>(
        audited(std::move(audit), [change = std::move(change)](Connection& connection) {
            return change_one(connection, change);
        }));
}

Task<Result<std::vector<std::string>>> SqlAutomations::remove(Owner owner, std::string id,
                                                              std::optional<std::int64_t> expected,
                                                              TimePoint now, Cause cause,
                                                              std::optional<AuditEvent> audit)
{
    return writes_.run<std::vector<std::string>>(
        [owner = std::move(owner), id = std::move(id), expected, now, cause = std::move(cause),
         audit = std::move(audit)](Connection& connection) {
            return remove_automation(connection, owner, id, expected, now, cause, audit);
        });
}

Task<Result<bool>> SqlAutomations::sweep_removed(std::size_t most)
{
    const auto found = co_await reads_.run<bool>(has_removed);
    if (!found) co_return found.error();
    if (!*found) co_return false;
    co_return co_await writes_.run<bool>(
        [most](Connection& connection) { return delete_removed(connection, most); });
}

Task<Result<DueAutomation>> SqlAutomations::find_hook(std::string hook)
{
    return reads_.run<DueAutomation>([hook = std::move(hook)](Connection& connection) {
        return automation_with_hook(connection, hook);
    });
}

Task<Result<std::vector<DueAutomation>>> SqlAutomations::due(TimePoint until, std::size_t most)
{
    return reads_.run<std::vector<DueAutomation>>(
        [until, most](Connection& connection) { return due_until(connection, until, most); });
}

Task<Result<std::optional<TimePoint>>> SqlAutomations::next_due()
{
    return reads_.run<std::optional<TimePoint>>(first_due);
}

Task<Result<AutomationPage>> SqlAutomations::scheduled(std::optional<Position> after,
                                                       std::size_t limit)
{
    return reads_.run<AutomationPage>([from = after.value_or(0), limit](Connection& connection) {
        return scheduled_after(connection, from, limit);
    });
}

Task<Result<std::vector<Owner>>> SqlAutomations::listening_owners()
{
    return reads_.run<std::vector<Owner>>(owners_that_listen);
}

Task<Result<std::vector<DueAutomation>>> SqlAutomations::listeners(Owner owner)
{
    return reads_.run<std::vector<DueAutomation>>(
        [owner = std::move(owner)](Connection& connection) {
            return listeners_of(connection, owner);
        });
}

}  // namespace parley::store::sql
