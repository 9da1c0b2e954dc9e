#include "automation/due_rows.hpp"

#include "base/id.hpp"

namespace parley::automation {

std::vector<store::AutomationRun> rows_of(const Definition& definition,
                                          const store::Automation& automation,
                                          const std::vector<DueTime>& times, TimePoint now,
                                          const chat::RunErrors& errors)
{
    const api::RetryBody& retry = definition.fields().retry;
    std::vector<store::AutomationRun> rows;
    rows.reserve(times.size());
    for (const DueTime& time : times) {
        std::string key = rfc3339(time.at);
        store::AutomationRun row{.id = new_id("aru", now),
                                 .automation = automation.id,
                                 .trigger = TriggerType::schedule,
                                 .key = key,
                                 .scheduled_for = time.at,
                                 .max_attempts = retry.max_attempts,
                                 .backoff = std::chrono::seconds(retry.backoff_s),
                                 .not_before = now,
                                 .missed_count = time.missed_count,
                                 .created_at = now};
        if (time.is_missed) row.status = AutomationRunStatus::missed;
        auto values = definition.fill({}, {TriggerType::schedule, std::move(key), time.at});
        if (values) {
            row.values = std::move(*values);
        } else if (!time.is_missed) {
            row.status = AutomationRunStatus::failed;
            row.error = errors.stored(values.error());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace parley::automation
