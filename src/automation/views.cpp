#include "automation/automations.hpp"
#include "base/rfc3339.hpp"
#include "store/times.hpp"

namespace parley::automation {
namespace {

std::optional<boost::json::object> shown(const std::optional<RunError>& error,
                                         const chat::RunErrors& errors)
{
    if (!error) return std::nullopt;
    return errors.shown(*error);
}

// The sum of all attempts; nothing if one of them does not say.
std::optional<api::UsageView> usage_of(const std::vector<store::Attempt>& attempts)
{
    if (attempts.empty()) return std::nullopt;
    api::UsageView sum;
    for (const store::Attempt& each : attempts) {
        if (!each.usage) return std::nullopt;
        sum.input_tokens += each.usage->input_tokens;
        sum.output_tokens += each.usage->output_tokens;
        sum.cached_input_tokens += each.usage->cached_input_tokens;
    }
    sum.total_tokens = sum.input_tokens + sum.output_tokens;
    return sum;
}

}  // namespace

api::HookView Automations::hook_view(const store::Hook& hook) const
{
    api::HookView view{.id = hook.id, .url = options_.public_url, .secret_hint = hook.hint};
    while (view.url.ends_with('/')) view.url.pop_back();
    // Senders that sign cannot send a token, which all paths under /v1 need.
    view.url += hook.verify == HookVerification::token ? "/v1/api/hooks/" : "/hooks/";
    view.url += hook.id;
    std::optional<TimePoint> until;
    const TimePoint now = expiry_now();
    for (const store::OldSecret& each : hook.old)
        if (each.until > now) until = std::max(until.value_or(each.until), each.until);
    view.old_secret_until = rfc3339(until);
    return view;
}

api::AutomationView Automations::view(const store::Automation& automation,
                                      const std::optional<std::string>& secret) const
{
    api::AutomationView view;
    if (auto fields = Definition::fields_in(automation.definition))
        static_cast<api::AutomationDefinition&>(view) = std::move(*fields);
    view.overlap = automation.overlap;
    if (view.session.policy == api::SessionPolicy::go_on)
        view.session.session_id = automation.session;
    view.paused = automation.state == AutomationState::paused;
    view.id = automation.id;
    view.revision = automation.revision;
    view.state = automation.state;
    view.pause_reason = automation.pause_reason;
    view.next_at = rfc3339(automation.next_at);
    if (automation.hook) {
        view.hook = hook_view(*automation.hook);
        view.hook->secret = secret;
    }
    view.last_run = automation.last_run;
    view.consecutive_failures = automation.failures;
    view.created_at = rfc3339(automation.created_at);
    view.updated_at = rfc3339(automation.updated_at);
    return view;
}

api::AutomationRunView Automations::view(const store::AutomationRun& row,
                                         const chat::RunErrors& errors) const
{
    api::AutomationRunView view;
    view.id = row.id;
    view.automation_id = row.automation;
    view.revision = row.revision;
    view.trigger = row.trigger;
    view.key = row.key;
    view.scheduled_for = rfc3339(row.scheduled_for);
    view.status = row.status;
    view.skip_reason = row.skip_reason;
    view.batch_id = row.batch;
    if (const auto definition = Definition::read_unscheduled(row.definition)) {
        auto filled = definition->filled(row);
        view.variables = std::move(filled.variables);
        view.message = std::move(filled.message);
    }
    view.session_id = row.session;
    for (const store::Attempt& each : row.attempts)
        view.attempts.push_back({.number = each.number,
                                 .run_id = each.run,
                                 .status = each.status,
                                 .error = shown(each.error, errors),
                                 .started_at = rfc3339(each.started_at),
                                 .completed_at = rfc3339(each.completed_at)});
    if (!row.attempts.empty()) view.run_id = row.attempts.back().run;
    if (row.status == AutomationRunStatus::waiting) view.next_attempt_at = rfc3339(row.not_before);
    view.usage = usage_of(row.attempts);
    view.error = shown(row.error, errors);
    view.missed_count = row.missed_count;
    view.created_at = rfc3339(row.created_at);
    view.started_at = rfc3339(row.started_at);
    view.completed_at = rfc3339(row.completed_at);
    return view;
}

}  // namespace parley::automation
