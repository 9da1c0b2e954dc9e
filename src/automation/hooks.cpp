// Hooks of automations: calls, the runs that they started, and new secrets.
#include "automation/automations.hpp"
#include "automation/test_clock.hpp"
#include "base/hex.hpp"
#include "base/id.hpp"
#include "base/sha256.hpp"
#include "templates/value_text.hpp"

#include <algorithm>

namespace parley::automation {
namespace {

constexpr std::size_t longest_key = 255;

bool is_plain(std::string_view text)
{
    return text.size() <= longest_key &&
           std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

// A long value, or one with control characters, is a key by its hash.
std::string as_key(std::string text)
{
    if (is_plain(text)) return text;
    return "sha256:" + to_hex(sha256(text));
}

// Null and an empty text are no key: many calls may have them.
std::optional<std::string> key_in(const boost::json::value& payload, std::string_view pointer)
{
    boost::system::error_code error;
    const boost::json::value* found = payload.find_pointer(pointer, error);
    if (!found || found->is_null()) return std::nullopt;
    std::string text = templates::value_text(*found);
    if (text.empty()) return std::nullopt;
    return as_key(std::move(text));
}

// A call without a key is one of its own. GitHub signs the body only, so a key in it comes first: a
// captured call could otherwise be sent again with another key in the head.
std::string key_of(const Automations::HookCall& call, const api::HookTrigger* trigger,
                   TimePoint now)
{
    std::optional<std::string> in_body;
    if (trigger && trigger->dedupe_pointer)
        in_body = key_in(call.payload, *trigger->dedupe_pointer);
    const bool body_is_first = trigger && trigger->verify == HookVerification::github;
    if (in_body && (body_is_first || !call.key)) return *in_body;
    if (call.key) return *call.key;
    return new_id("key", now);
}

// An earlier hook of the same automation may have had other callers.
bool is_of_former_hook(const store::AutomationRun& row, const store::Automation& automation)
{
    return row.created_at < automation.hook->created_at;
}

std::vector<store::AutomationRun> one(store::AutomationRun row)
{
    std::vector<store::AutomationRun> rows;
    rows.push_back(std::move(row));
    return rows;
}

// The row that this key has started before.
Automations::Started known_row(store::AutomationRun row, const store::Automation& automation)
{
    const bool is_former = is_of_former_hook(row, automation);
    if (is_former) {
        row.definition.clear();  // With the values it would give the message.
        row.values.clear();
        row.session.reset();
        row.attempts.clear();
        row.error.reset();
    }
    return {.rows = one(std::move(row)), .replayed = true, .is_of_former_hook = is_former};
}

}  // namespace

Task<Result<store::Automation>> Automations::automation_of_hook(std::string hook) const
{
    auto found = co_await store_.automations().find_hook(std::move(hook));
    if (!found) co_return found.error();
    co_return std::move(found->automation);
}

Result<store::AutomationRun> Automations::row_of_call(const store::Automation& automation,
                                                      const Definition& definition,
                                                      const boost::json::object& payload,
                                                      const Definition::Occasion& occasion) const
{
    auto values = definition.fill(payload, occasion);
    if (!values) return fault_below("#", values.error());
    const TimePoint now = clock_.now();
    const api::RetryBody& retry = definition.fields().retry;
    return store::AutomationRun{.id = new_id("aru", now),
                                .automation = automation.id,
                                .owner = automation.owner,
                                .revision = automation.revision,
                                .trigger = TriggerType::hook,
                                .key = occasion.key,
                                .scheduled_for = occasion.at,
                                .values = std::move(*values),
                                .max_attempts = retry.max_attempts,
                                .backoff = std::chrono::seconds(retry.backoff_s),
                                .not_before = occasion.at,
                                .created_at = now};
}

Task<Result<std::optional<Automations::Started>>> Automations::enter_call(const HookCall& call)
{
    const auto automation = co_await automation_of_hook(call.hook);
    if (!automation) co_return automation.error();
    const auto definition = Definition::read(automation->definition, zones_);
    if (!definition) co_return definition.error();
    Definition::Occasion occasion{.trigger = TriggerType::hook,
                                  .key = key_of(call, definition->hook(), clock_.now())};
    // A known key gives its row, whatever the body is now.
    auto known = co_await store_.ledger().find_by_key(
        automation->owner, {automation->id, occasion.trigger, occasion.key});
    if (!known) co_return known.error();
    if (*known) co_return known_row(std::move(**known), *automation);
    const auto its_time = co_await time_of(store_, clock_, automation->owner);
    if (!its_time) co_return its_time.error();
    occasion.at = *its_time;
    auto row = row_of_call(*automation, *definition, call.payload, occasion);
    if (!row) co_return row.error();
    auto entered =
        co_await store_.ledger().add(automation->owner, one(std::move(*row)), call.cause);
    if (!entered && entered.error().code == Errc::precondition_failed)
        co_return std::optional<Started>();
    if (!entered) co_return entered.error();
    co_await cancel_runs(runs_, automation->owner, std::move(entered->to_cancel));
    wake_();
    if (!entered->are_new) co_return known_row(std::move(entered->rows.front()), *automation);
    co_return Started{.rows = std::move(entered->rows)};
}

Task<Result<Automations::Started>> Automations::start_by_hook(HookCall call)
{
    for (;;) {  // Again if it was changed in between.
        auto started = co_await enter_call(call);
        if (!started) co_return started.error();
        if (*started) co_return std::move(**started);
    }
}

Task<Result<store::AutomationRun>> Automations::run_of_hook(std::string hook, std::string row) const
{
    const auto automation = co_await automation_of_hook(std::move(hook));
    if (!automation) co_return automation.error();
    auto found = co_await store_.ledger().find(automation->owner, std::move(row));
    if (!found) co_return found.error();
    const bool is_its = found->automation == automation->id &&
                        found->trigger == TriggerType::hook &&
                        !is_of_former_hook(*found, *automation);
    if (!is_its) co_return not_found("The run of the automation");
    co_return found;
}

Task<Result<ShownAutomation>> Automations::rotate_hook(Owner owner, std::string id,
                                                       std::chrono::seconds overlap,
                                                       auth::Actor actor)
{
    for (;;) {  // Again if it was changed in between.
        const auto before = co_await store_.automations().find(owner, id);
        if (!before) co_return before.error();
        if (!before->hook) co_return not_found("The hook of the automation");
        const TimePoint now = clock_.now();
        auto made = secrets_.rotated(*before->hook, overlap, expiry_now());
        if (!made) co_return made.error();
        store::AutomationChange change{
            .automation = *before,
            .seen = before->revision,
            .cause = actor.cause(),
            .audit = audit(actor, "hook.secret_rotated", before->hook->id)};
        change.automation.updated_at = now;
        change.automation.hook = std::move(made->hook);
        auto changed = co_await store_.automations().change(std::move(change));
        if (!changed && changed.error().code == Errc::precondition_failed) continue;
        if (!changed) co_return changed.error();
        co_return ShownAutomation{.automation = std::move(*changed),
                                  .secret = std::move(made->secret)};
    }
}

}  // namespace parley::automation
