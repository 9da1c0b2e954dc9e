// Rows of automations and of their ledger, as several use cases read and write them.
#pragma once

#include "store/automations.hpp"
#include "store/ledger.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/event_log.hpp"

#include <deque>
#include <vector>

#define AUTOMATION_COLUMNS                                                                 \
    "automations.position, automations.id, automations.user AS of_user, automations.test," \
    " automations.name, automations.name_key, automations.overlap,"                        \
    " automations.pause_after_failures, automations.output_tokens_per_day,"                \
    " automations.state, automations.pause_reason, automations.session,"                   \
    " automations.evaluated_ms, automations.next_ms, automations.listens,"                 \
    " automations.heard_number, automations.created_ms, automations.updated_ms,"           \
    " automations.revision, automations.failures, automation_definitions.definition"
#define JOIN_DEFINITION                                            \
    " CROSS JOIN automation_definitions"                           \
    " ON automation_definitions.automation = automations.position" \
    " AND automation_definitions.revision = automations.revision"
#define LEDGER_COLUMNS                                                                         \
    "automation_runs.position, automation_runs.id, automation_runs.automation,"                \
    " automations.id AS automation_id, automations.user AS of_user, automations.test,"         \
    " automation_runs.revision, automation_runs.trigger_type, automation_runs.key,"            \
    " automation_runs.due_ms, automation_runs.status, automation_runs.skip_reason,"            \
    " automation_runs.batch, automation_runs.fill_values, automation_runs.is_alone,"           \
    " automation_runs.max_attempts, automation_runs.backoff_s, automation_runs.not_before_ms," \
    " automation_runs.session, automation_runs.question, automation_runs.error,"               \
    " automation_runs.missed_count, automation_runs.depth, automation_runs.token AS by_token," \
    " automation_runs.created_ms,"                                                             \
    " automation_runs.started_ms, automation_runs.completed_ms,"                               \
    " automation_definitions.definition"
#define JOIN_LEDGER                                                                \
    " CROSS JOIN automations ON automations.position = automation_runs.automation" \
    " CROSS JOIN automation_definitions"                                           \
    " ON automation_definitions.automation = automation_runs.automation"           \
    " AND automation_definitions.revision = automation_runs.revision"

namespace parley::store::sql {

struct KeptAutomation {
    std::int64_t position = 0;
    Automation automation = {};
};
// The row must have AUTOMATION_COLUMNS.
KeptAutomation automation_of(Connection& connection, const Query& row);
// The same without its newest run, and for one that has no hook: many are due at a time, and each
// of the two would be a query more.
KeptAutomation scheduled_automation_of(const Query& row);
std::optional<KeptAutomation> find_automation(Connection& connection, const std::string& id);
std::optional<KeptAutomation> find_automation(Connection& connection, const Owner& owner,
                                              const std::string& id);

struct KeptRow {
    std::int64_t position = 0;
    std::int64_t automation = 0;
    bool is_alone = false;
    AutomationRun row = {};
};
// The row must have LEDGER_COLUMNS.
KeptRow ledger_row_of(Connection& connection, const Query& row);
std::optional<KeptRow> find_row(Connection& connection, const std::string& id);
std::optional<KeptRow> find_row(Connection& connection, const Owner& owner, const std::string& id);

// Status, reason, error, times, session and question.
void update_row(Connection& connection, std::int64_t position, const AutomationRun& row);

// Ends a row that has no run, or has lost it.
void end_row(Connection& connection, KeptRow& kept, AutomationRunStatus status, TimePoint now);

// A running row whose run is to be cancelled: if its attempt fails first, there is no further one.
void mark_as_cancelled(Connection& connection, const KeptRow& kept);

// Why something happened to a row: because of its automation, or of a request about it. Both have
// the depth of the row, so that a chain of automations ends, whatever its rows come to.
Cause cause_of(const AutomationRun& row);
Cause with_depth(Cause cause, const AutomationRun& row);

// Events whose texts must live until they are told.
class RowEvents {
public:
    void add(EventType type, std::string subject, std::string parent = {});
    void add(const AutomationRun& row);  // Its status.
    void add_to(std::vector<NewEvent>& events) const;
    void record(Connection& connection, const Owner& owner, const Occasion& occasion) const;

private:
    struct Texts {
        EventType type;
        std::string subject;
        std::string parent;
    };
    std::deque<Texts> events_;
};

}  // namespace parley::store::sql
