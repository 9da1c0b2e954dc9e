// Previews: the next due times of an automation, and its message.
#include "automation/test_clock.hpp"
#include "base/id.hpp"
#include "engine/engine.hpp"

namespace parley::automation {
namespace {

// An attempt reserves as many tokens as it may write.
bool spends_too_little(const api::AutomationDefinition& fields)
{
    return fields.output_tokens_per_day &&
           *fields.output_tokens_per_day < fields.max_output_tokens.value_or(0);
}

std::vector<api::OccurrenceView> views_of(const std::vector<schedule::Occurrence>& times,
                                          const schedule::Zone& zone)
{
    std::vector<api::OccurrenceView> views;
    for (const schedule::Occurrence& each : times) {
        views.push_back(
            {.scheduled_for = rfc3339(each.at), .local = zone.text(each.at), .note = {}});
        if (const auto note = schedule::to_text(each.note)) views.back().note = *note;
    }
    return views;
}

}  // namespace

void Automations::add_faults_of(const api::PreviewBody& body, Faults& faults) const
{
    parse_time(body.from, "#/from", faults);
    add_faults_of(static_cast<const api::AutomationDefinition&>(body), faults);
}

Task<Result<api::PreviewView>> Automations::preview(Owner owner, api::PreviewBody body)
{
    const auto its_time = co_await time_of(store_, clock_, owner);
    if (!its_time) co_return its_time.error();
    Faults faults;
    const TimePoint from = parse_time(body.from, "#/from", faults).value_or(*its_time);
    const auto count = static_cast<std::size_t>(body.count);
    const boost::json::object payload = std::move(body.payload).value_or(boost::json::object());
    auto definition = Definition::make(std::move(body), zones_, longest_timeout(), faults);
    if (!definition) co_return validation_failed(std::move(faults));
    if (auto known = check_model(*definition); !known) co_return known.error();
    if (auto checked = co_await check_session(owner, *definition); !checked)
        co_return checked.error();
    if (auto checked = co_await check_subjects(owner, *definition); !checked)
        co_return checked.error();

    api::PreviewView shown;
    Definition::Occasion occasion{.at = *its_time};
    if (const auto& schedule = definition->schedule()) {
        if (auto fires = check_fires(*schedule, from); !fires) co_return fires.error();
        shown.occurrences = views_of(schedule->occurrences(from, count), schedule->zone());
        shown.time_zone_version = zones_.version();
        if (const auto first = schedule->next(from)) occasion.at = *first;
        occasion.trigger = TriggerType::schedule;
        occasion.key = rfc3339(occasion.at);
        if (schedule->either_day_is_enough())
            shown.warnings.emplace_back(
                "Both day fields are restricted: either of them is enough to match.");
    }
    for (const std::string& name : definition->unused_variables())
        shown.warnings.push_back("The message does not contain the variable {{" + name + "}}.");
    if (spends_too_little(definition->fields()))
        shown.warnings.emplace_back(
            "output_tokens_per_day is less than max_output_tokens: every run would be skipped.");
    if (definition->listening()) occasion.trigger = TriggerType::event;
    if (definition->hook()) occasion.trigger = TriggerType::hook;
    // As runs get one: an event has an id, others have a key of their own.
    if (occasion.key.empty())
        occasion.key = new_id(definition->listening() ? "evt" : "key", clock_.now());
    const auto values = definition->fill(payload, occasion);
    if (!values) co_return fault_below("#/payload", values.error());
    const store::AutomationRun row{.trigger = occasion.trigger,
                                   .key = occasion.key,
                                   .scheduled_for = occasion.at,
                                   .values = *values};
    shown.message = definition->filled(row).message;
    const std::string model =
        owner.test ? std::string(engine::scripted_name)
                   : definition->fields().model.value_or(std::string(models_.default_name()));
    auto counted = co_await models_.find(model)->count(
        {{Speaker::user, definition->fields().instructions.value_or("")},
         {Speaker::user, shown.message}});
    if (!counted) co_return counted.error();
    for (const std::int64_t each : *counted) shown.input_tokens += each;
    co_return shown;
}

Task<Result<Automations::OccurrencePage>> Automations::occurrences(Owner owner, std::string id,
                                                                   std::optional<TimePoint> from,
                                                                   std::size_t limit)
{
    const auto its_time = co_await time_of(store_, clock_, owner);
    if (!its_time) co_return its_time.error();
    const auto found = co_await store_.automations().find(std::move(owner), std::move(id));
    if (!found) co_return found.error();
    const auto definition = Definition::read(found->definition, zones_);
    if (!definition) co_return definition.error();
    OccurrencePage page;
    if (!definition->schedule()) co_return page;
    auto times = definition->schedule()->occurrences(from.value_or(*its_time), limit + 1);
    if (times.size() > limit) {
        times.resize(limit);
        page.next = times.back().at;
    }
    page.items = views_of(times, definition->schedule()->zone());
    co_return page;
}

}  // namespace parley::automation
