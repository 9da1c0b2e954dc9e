#include "automation/due_rows.hpp"

#include "automation/yield.hpp"
#include "base/id.hpp"

namespace parley::automation {
namespace {

constexpr std::size_t rows_at_once = 20;

}  // namespace

store::AutomationRun row_of(const Definition& definition, const store::Automation& automation,
                            const DueTime& time, TimePoint now, const chat::RunErrors& errors)
{
    const api::RetryBody& retry = definition.fields().retry;
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
    return row;
}

Task<std::vector<store::AutomationRun>> rows_of(const Definition& definition,
                                                const store::Automation& automation,
                                                const std::vector<DueTime>& times, TimePoint now,
                                                const chat::RunErrors& errors)
{
    std::vector<store::AutomationRun> rows;
    rows.reserve(times.size());
    for (const DueTime& time : times) {
        rows.push_back(row_of(definition, automation, time, now, errors));
        if (rows.size() % rows_at_once == 0) co_await yield();
    }
    co_return rows;
}

}  // namespace parley::automation
