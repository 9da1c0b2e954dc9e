#include "automation/automations.hpp"

#include "automation/test_clock.hpp"
#include "base/id.hpp"
#include "chat/titles.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"
#include "store/refusals.hpp"
#include "webhook/created_before.hpp"

namespace parley::automation {
namespace {

// The fields as they are, with those that are given.
api::AutomationDefinition patched(const api::AutomationDefinition& fields,
                                  const boost::json::object& given, Faults& faults)
{
    boost::json::value whole = fields::to_json(fields);
    for (const auto& [name, value] : given) whole.as_object()[name] = value;
    return fields::read<api::AutomationDefinition>(whole, faults);
}

// Also if the types stay as they are: other variables would show a token what it may not read.
Result<> check_events(const Definition& definition, const boost::json::object& given,
                      const Automations::MayHear& may_hear)
{
    const auto& trigger = definition.fields().trigger;
    const api::EventTrigger* heard = trigger ? trigger->event() : nullptr;
    const bool shows_more =
        given.contains("trigger") || given.contains("variables") || given.contains("message");
    if (!heard || !shows_more) return {};
    return may_hear(heard->event_types);
}

}  // namespace

Automations::Automations(store::Store& store, chat::Runs& runs, const engine::Models& models,
                         const schedule::Zones& zones, const HookSecrets& secrets,
                         const Clock& clock, Options options, std::function<void()> wake)
    : store_(store),
      runs_(runs),
      models_(models),
      zones_(zones),
      secrets_(secrets),
      clock_(clock),
      options_(std::move(options)),
      wake_(std::move(wake))
{
}

Result<> check_fires(const schedule::Schedule& schedule, TimePoint after)
{
    const auto fires = schedule.fires_after(after);
    if (fires) return {};
    return fault_below("#/trigger", fires.error());
}

void Automations::add_faults_of(const api::AutomationDefinition& fields, Faults& faults) const
{
    Definition::make(fields, zones_, longest_timeout(), faults);
}

void apply(const Definition& definition, store::Automation& automation)
{
    automation.listens = definition.listening().has_value();
    const api::AutomationDefinition& fields = definition.fields();
    automation.name = fields.name;
    automation.name_key = chat::title_key(fields.name);
    automation.definition = definition.write();
    automation.overlap = definition.overlap();
    automation.pause_after_failures.reset();  // Null: never.
    if (fields.pause_after_failures) automation.pause_after_failures = *fields.pause_after_failures;
    automation.output_tokens_per_day = fields.output_tokens_per_day;
    automation.session = definition.continues_session() ? fields.session.session_id : std::nullopt;
}

Result<> Automations::check_model(const Definition& definition) const
{
    const auto& model = definition.fields().model;
    if (!model) return {};
    const engine::Engine* engine = models_.find(*model);
    if (!engine)
        return Error{Errc::unknown_model, "There is no model \"" + *model + "\" on this server."};
    if (!engine->can_chat())
        return validation_failed(
            {{"#/model", "unsupported_parameter", "this model can only embed texts"}});
    return {};
}

Task<Result<>> Automations::check_session(const Owner& owner, const Definition& definition) const
{
    const auto& session = definition.fields().session.session_id;
    if (!definition.continues_session() || !session) co_return Result<>();
    const auto found = co_await store_.sessions().find_session(owner, *session);
    if (!found) co_return found.error();
    co_return Result<>();
}

Task<Result<>> Automations::check_subjects(const Owner& owner, const Definition& definition) const
{
    if (!definition.listening()) co_return Result<>();
    if (const std::string& session = definition.listening()->session; !session.empty())
        if (const auto found = co_await store_.sessions().find_session(owner, session); !found)
            co_return found.error();
    if (const std::string& other = definition.listening()->automation; !other.empty())
        if (const auto found = co_await store_.automations().find(owner, other); !found)
            co_return found.error();
    co_return Result<>();
}

std::optional<std::string> Automations::set_hook(const Definition& definition,
                                                 store::Automation& automation) const
{
    const api::HookTrigger* wanted = definition.hook();
    if (wanted && automation.hook && automation.hook->verify == wanted->verify) return std::nullopt;
    automation.hook.reset();
    if (!wanted) return std::nullopt;
    NewHook made = secrets_.make(wanted->verify, clock_.now());
    automation.hook = std::move(made.hook);
    return std::move(made.secret);
}

store::AuditEvent Automations::audit(const auth::Actor& actor, const char* action,
                                     const std::string& hook) const
{
    return auth::audit_event(clock_, actor.name, action, hook, actor.origin);
}

// A retry gets what its request has created, even if a new one would be refused by now: its time
// may be over, or its session deleted.
Task<Result<ShownAutomation>> Automations::create(Owner owner, api::AutomationDefinition fields,
                                                  std::optional<store::KeyClaim> key,
                                                  auth::Actor actor)
{
    auto made = co_await create_new(owner, std::move(fields), key, std::move(actor));
    if (made || !key) co_return made;
    auto before = co_await webhook::created_before<store::Automation>(
        store_.automations(), std::move(owner), std::move(*key), made.error());
    if (!before) co_return before.error();
    co_return ShownAutomation{.automation = std::move(*before), .replayed = true};
}

Task<Result<ShownAutomation>> Automations::create_new(Owner owner, api::AutomationDefinition fields,
                                                      std::optional<store::KeyClaim> key,
                                                      auth::Actor actor)
{
    auto definition = Definition::make(std::move(fields), zones_, longest_timeout());
    if (!definition) co_return definition.error();
    const TimePoint now = clock_.now();
    const auto its_time = co_await time_of(store_, clock_, owner);
    if (!its_time) co_return its_time.error();
    const auto& schedule = definition->schedule();
    if (schedule)
        if (auto fires = check_fires(*schedule, *its_time); !fires) co_return fires.error();
    if (auto known = check_model(*definition); !known) co_return known.error();
    store::Automation made{.id = new_id("aut", now),
                           .owner = owner,
                           .evaluated_until = *its_time,
                           .created_at = now,
                           .updated_at = now};
    apply(*definition, made);
    if (auto checked = co_await check_session(owner, *definition); !checked)
        co_return checked.error();
    if (auto checked = co_await check_subjects(owner, *definition); !checked)
        co_return checked.error();
    if (definition->fields().paused) {
        made.state = AutomationState::paused;
        made.pause_reason = PauseReason::user;
    } else if (schedule) {
        made.next_at = schedule->next(*its_time);
    }
    ShownAutomation shown{.secret = set_hook(*definition, made)};
    std::optional<store::AuditEvent> noted;
    if (made.hook) noted = audit(actor, "hook.created", made.hook->id);
    auto created = co_await store_.automations().create(
        std::move(made), options_.max_per_user, std::move(key), actor.cause(), std::move(noted));
    if (!created) co_return created.error();
    wake_();
    shown.automation = std::move(created->automation);
    shown.replayed = created->replayed;
    if (shown.replayed) shown.secret.reset();
    co_return shown;
}

Task<Result<ShownAutomation>> Automations::change(Owner owner, std::string id,
                                                  boost::json::object given,
                                                  std::optional<std::int64_t> expected,
                                                  const MayHear& may_hear, auth::Actor actor)
{
    // Again if another request has changed it in between. Each time one of them succeeds, so that
    // this ends.
    for (;;) {
        const auto before = co_await store_.automations().find(owner, id);
        if (!before) co_return before.error();
        if (expected && *expected != before->revision) co_return store::automation_was_changed();
        const auto its_time = co_await time_of(store_, clock_, owner);
        if (!its_time) co_return its_time.error();
        auto wanted = change_of(*before, given, *its_time);
        if (!wanted) co_return wanted.error();
        if (auto may = check_events(wanted->definition, given, may_hear); !may)
            co_return may.error();
        store::AutomationChange& change = wanted->change;
        if (change.sets_session)
            if (auto checked = co_await check_session(owner, wanted->definition); !checked)
                co_return checked.error();
        if (given.contains("trigger"))
            if (auto checked = co_await check_subjects(owner, wanted->definition); !checked)
                co_return checked.error();
        change.cause = actor.cause();
        if (wanted->secret)
            change.audit = audit(actor, "hook.created", change.automation.hook->id);
        else if (before->hook && !change.automation.hook)
            change.audit = audit(actor, "hook.deleted", before->hook->id);
        auto changed = co_await store_.automations().change(std::move(change));
        if (!changed && changed.error().code == Errc::precondition_failed) continue;
        if (!changed) co_return changed.error();
        wake_();
        co_return ShownAutomation{.automation = std::move(*changed),
                                  .secret = std::move(wanted->secret)};
    }
}

Result<Automations::Change> Automations::change_of(const store::Automation& before,
                                                   const boost::json::object& given,
                                                   TimePoint its_time) const
{
    auto fields = Definition::fields_in(before.definition);
    if (!fields) return fields.error();
    const bool was_paused = before.state == AutomationState::paused;
    fields->paused = was_paused;
    if (fields->session.policy == api::SessionPolicy::go_on)
        fields->session.session_id = before.session;
    // It may have been set when the server allowed more.
    fields->timeout_s = std::min<std::int64_t>(fields->timeout_s.value_or(usual_timeout_s),
                                               longest_timeout().count());
    Faults faults;
    auto wanted = patched(*fields, given, faults);
    // One whose time zone is gone can still be paused and changed.
    const bool needs_zone = given.contains("trigger") || (was_paused && !wanted.paused);
    using UnknownZone = Definition::UnknownZone;
    auto definition = Definition::make(std::move(wanted), zones_, longest_timeout(), faults,
                                       needs_zone ? UnknownZone::refused : UnknownZone::accepted);
    if (!definition) return validation_failed(std::move(faults));
    const bool is_paused = definition->fields().paused;
    // One whose model is gone can still be paused.
    if (!is_paused || given.contains("model"))
        if (auto known = check_model(*definition); !known) return known.error();

    Change made{.change = {}, .definition = *definition};
    store::AutomationChange& change = made.change;
    change = {.automation = before,
              .seen = before.revision,
              .seen_state = before.state,
              .is_edited = given.size() > given.count("paused"),
              // Nothing is due for the time while it was paused, or before the trigger was edited.
              .is_due_anew = given.contains("trigger") || was_paused != is_paused,
              .sets_session = given.contains("session"),
              .forgets_failures = was_paused && !is_paused};
    apply(*definition, change.automation);
    made.secret = set_hook(*definition, change.automation);
    change.automation.updated_at = clock_.now();
    if (!change.is_due_anew) return made;
    const auto& schedule = definition->schedule();
    if (given.contains("trigger") && schedule)
        if (auto fires = check_fires(*schedule, its_time); !fires) return fires.error();
    change.automation.evaluated_until = its_time;
    change.automation.next_at = schedule && !is_paused ? schedule->next(its_time) : std::nullopt;
    change.automation.state = is_paused                                ? AutomationState::paused
                              : schedule && !change.automation.next_at ? AutomationState::ended
                                                                       : AutomationState::active;
    if (!is_paused)
        change.automation.pause_reason.reset();
    else if (!was_paused)
        change.automation.pause_reason = PauseReason::user;
    return made;
}

Task<Result<>> Automations::remove(Owner owner, std::string id,
                                   std::optional<std::int64_t> expected, auth::Actor actor)
{
    auto runs =
        co_await store_.automations().remove(owner, std::move(id), expected, clock_.now(),
                                             actor.cause(), audit(actor, "hook.deleted", {}));
    if (!runs) co_return runs.error();
    co_await cancel_runs(runs_, std::move(owner), std::move(*runs));
    wake_();  // Its rows are deleted afterwards.
    co_return Result<>();
}

Task<> cancel_runs(chat::Runs& runs, Owner owner, std::vector<std::string> ids)
{
    for (std::string& id : ids) {
        const auto run = co_await runs.find(owner, std::move(id));
        if (run) run->cancel();
    }
}

}  // namespace parley::automation
