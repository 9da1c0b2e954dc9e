#include "automation/definition.hpp"

#include "base/json.hpp"
#include "base/rfc3339.hpp"
#include "fields/add_fault.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"

#include <algorithm>
#include <iterator>

namespace parley::automation {
namespace {

// The values of a row in the store.
struct KeptValues {
    std::map<std::string, std::string> variables;
    std::string local_date;
    std::string local_time;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = KeptValues;
        return std::tuple(field("variables", &This::variables, ""),
                          field("local_date", &This::local_date, ""),
                          field("local_time", &This::local_time, ""));
    }
};

std::vector<templates::Variable> variables_of(const api::AutomationDefinition& fields)
{
    std::vector<templates::Variable> variables;
    for (const api::VariableBody& each : fields.variables) {
        templates::Variable variable{.name = each.name,
                                     .pointer = each.pointer,
                                     .default_value = each.default_value,
                                     .required = each.required,
                                     .cut = each.cut};
        if (each.max_bytes) variable.max_bytes = static_cast<std::size_t>(*each.max_bytes);
        variables.push_back(std::move(variable));
    }
    return variables;
}

// A time, whose text becomes that of responses: UTC with milliseconds.
std::optional<TimePoint> normalised(std::optional<std::string>& text, std::string_view pointer,
                                    Faults& faults)
{
    const auto time = parse_time(text, pointer, faults);
    if (time) text = rfc3339(*time);
    return time;
}

bool is_unknown_zone(const Fault& fault) { return fault.code == "unknown_time_zone"; }

std::optional<schedule::Schedule> schedule_of(api::ScheduleTrigger& trigger,
                                              const schedule::Zones& zones, const Faults& refused,
                                              Faults& faults)
{
    Faults found;
    schedule::ScheduleRequest request{
        .cron = trigger.cron,
        .at = normalised(trigger.at, "#/trigger/at", found),
        .time_zone = trigger.time_zone,
        .every_weeks = trigger.every_weeks,
        .starts_at = normalised(trigger.starts_at, "#/trigger/starts_at", found),
        .ends_at = normalised(trigger.ends_at, "#/trigger/ends_at", found)};
    // A time that cannot be read is given all the same: no pattern is missing.
    if (!request.at && (trigger.at || fields::is_refused(refused, "#/trigger/at")))
        request.at.emplace();
    auto made = schedule::Schedule::make(request, zones);
    if (!made) fields::add_unless_refused(found, fault_below("#/trigger", made.error()).faults);
    const bool is_right = found.empty();
    std::ranges::move(found, std::back_inserter(faults));
    if (!is_right) return std::nullopt;
    return std::move(*made);
}

void check_hook(const api::HookTrigger& trigger, Faults& faults)
{
    if (trigger.dedupe_pointer && !templates::is_pointer(*trigger.dedupe_pointer))
        faults.push_back({"#/trigger/dedupe_pointer", "invalid_format",
                          "must be a JSON pointer (RFC 6901), such as /delivery/id"});
}

void check_session(const api::AutomationDefinition& fields, const Faults& refused, Faults& faults)
{
    if (fields::is_refused(refused, "#/session/policy")) return;
    const bool goes_on = fields.session.policy == api::SessionPolicy::go_on;
    if (goes_on && fields.session.keep)
        faults.push_back({"#/session/keep", "not_allowed", "is only for the policy new"});
    if (!goes_on && fields.session.session_id)
        faults.push_back(
            {"#/session/session_id", "not_allowed", "is only for the policy continue"});
    if (goes_on && fields.overlap == Overlap::allow)
        faults.push_back({"#/overlap", "not_allowed",
                          "cannot be allow if the session continues: its questions follow each "
                          "other"});
}

void check_together(const api::AutomationDefinition& fields, std::chrono::seconds longest_timeout,
                    const Faults& refused, Faults& faults)
{
    check_session(fields, refused, faults);
    if (fields.output_tokens_per_day && !fields.max_output_tokens)
        faults.push_back(
            {"#/max_output_tokens", "required", "is required with output_tokens_per_day"});
    if (fields.timeout_s.value_or(0) > longest_timeout.count())
        faults.push_back({"#/timeout_s", "out_of_range",
                          "must be at most " + std::to_string(longest_timeout.count()) +
                              ", the limit of this server"});
    if (fields.stop && fields.response_format && fields.response_format->format)
        faults.push_back({"#/stop", "not_allowed", "cannot be combined with response_format"});
}

// Whether names of variables were not read, so that the message may contain them.
bool lacks_names(const Faults& refused)
{
    return std::ranges::any_of(refused, [](const Fault& each) {
        const std::string& where = each.where;
        return where.starts_with("#/variables") &&
               (where.ends_with("/name") || std::ranges::count(where, '/') < 3);
    });
}

}  // namespace

Definition::Definition(api::AutomationDefinition fields, templates::Template message,
                       std::optional<schedule::Schedule> schedule,
                       std::optional<Listening> listening)
    : fields_(std::move(fields)),
      message_(std::move(message)),
      schedule_(std::move(schedule)),
      listening_(std::move(listening))
{
}

std::optional<Definition> Definition::make(api::AutomationDefinition fields,
                                           const schedule::Zones& zones,
                                           std::chrono::seconds longest_timeout, Faults& refused,
                                           UnknownZone unknown_zone)
{
    Faults faults;
    check_together(fields, longest_timeout, refused, faults);
    auto message = templates::Template::parse(fields.message, variables_of(fields));
    if (!message) add_faults(faults, "#", message.error());
    if (lacks_names(refused))
        std::erase_if(faults, [](const Fault& each) { return each.where == "#/message"; });
    std::optional<schedule::Schedule> schedule;
    std::optional<Listening> listening;
    const bool has_trigger = fields.trigger && !fields::is_refused(refused, "#/trigger/type");
    if (auto* wanted = has_trigger ? fields.trigger->schedule() : nullptr)
        schedule = schedule_of(*wanted, zones, refused, faults);
    if (const auto* wanted = has_trigger ? fields.trigger->event() : nullptr)
        listening = listening_of(*wanted, faults);
    if (const auto* wanted = has_trigger ? fields.trigger->hook() : nullptr)
        check_hook(*wanted, faults);
    if (unknown_zone == UnknownZone::accepted) std::erase_if(faults, is_unknown_zone);
    fields::add_unless_refused(refused, std::move(faults));
    if (!refused.empty()) return std::nullopt;
    if (!fields.timeout_s)
        fields.timeout_s = std::min<std::int64_t>(usual_timeout_s, longest_timeout.count());
    if (!fields.session.keep.given()) fields.session.keep = sessions_kept;
    if (fields.session.policy == api::SessionPolicy::go_on) fields.session.keep = nullptr;
    return Definition(std::move(fields), std::move(*message), std::move(schedule),
                      std::move(listening));
}

Result<Definition> Definition::make(api::AutomationDefinition fields, const schedule::Zones& zones,
                                    std::chrono::seconds longest_timeout)
{
    Faults faults;
    auto made = make(std::move(fields), zones, longest_timeout, faults);
    if (!made) return validation_failed(std::move(faults));
    return std::move(*made);
}

Result<api::AutomationDefinition> Definition::fields_in(std::string_view text)
{
    const auto parsed = json::parse(text);
    if (!parsed) return parsed.error();
    Faults faults;
    auto fields =
        fields::read<api::AutomationDefinition>(*parsed, faults, fields::UnknownFields::ignored);
    if (!faults.empty()) return validation_failed(std::move(faults));
    return fields;
}

Result<Definition> Definition::read(std::string_view text, const schedule::Zones& zones)
{
    auto fields = fields_in(text);
    if (!fields) return fields.error();
    return make(std::move(*fields), zones, std::chrono::seconds::max());
}

Result<Definition> Definition::read_unscheduled(std::string_view text)
{
    auto fields = fields_in(text);
    if (!fields) return fields.error();
    fields->trigger.reset();
    return make(std::move(*fields), schedule::Zones::none(), std::chrono::seconds::max());
}

std::string Definition::write() const { return fields::write(fields_); }

Overlap Definition::overlap() const
{
    const bool has_schedule = fields_.trigger && fields_.trigger->schedule();
    return fields_.overlap.value_or(has_schedule ? Overlap::skip : Overlap::queue);
}

std::optional<std::size_t> Definition::sessions_to_keep() const
{
    if (continues_session() || !fields_.session.keep) return std::nullopt;
    return static_cast<std::size_t>(*fields_.session.keep);
}

templates::RunValues Definition::run_values(const Occasion& occasion) const
{
    templates::RunValues values{.scheduled_for = rfc3339(occasion.at),
                                .local_date = {},
                                .local_time = {},
                                .key = occasion.key,
                                .trigger = std::string(fields::name_of(occasion.trigger)),
                                .automation_name = fields_.name};
    if (schedule_) {
        values.local_date = schedule_->zone().date_text(occasion.at);
        values.local_time = schedule_->zone().time_text(occasion.at);
    } else {  // 2027-03-28T01:30:00.000Z
        values.local_date = values.scheduled_for.substr(0, 10);
        values.local_time = values.scheduled_for.substr(11, 5);
    }
    return values;
}

Result<std::string> Definition::fill(const boost::json::object& payload,
                                     const Occasion& occasion) const
{
    const templates::RunValues run = run_values(occasion);
    auto filled = message_.fill(payload, run, longest_message);
    if (!filled) return filled.error();
    if (filled->message.empty())
        return validation_failed({{"", "too_short", "the filled message is empty"}});
    KeptValues kept{.variables = {}, .local_date = run.local_date, .local_time = run.local_time};
    for (templates::FilledValue& each : filled->values)
        kept.variables.emplace(std::move(each.name), std::move(each.text));
    return fields::write(kept);
}

Definition::Filled Definition::filled(const store::AutomationRun& row) const
{
    KeptValues kept;
    if (const auto parsed = json::parse(row.values)) {
        Faults faults;
        kept = fields::read<KeptValues>(*parsed, faults, fields::UnknownFields::ignored);
    }
    templates::RunValues run =
        run_values({.trigger = row.trigger, .key = row.key, .at = row.scheduled_for});
    run.local_date = kept.local_date;
    run.local_time = kept.local_time;
    std::vector<templates::FilledValue> values;
    values.reserve(kept.variables.size());
    for (const auto& [name, text] : kept.variables) values.push_back({name, text});
    return {std::move(kept.variables), message_.message_of(values, run)};
}

Result<> Definition::check_names(const boost::json::object& given) const
{
    Faults faults;
    for (const auto& [name, value] : given)
        if (!message_.reads(name))
            faults.push_back({templates::pointer_part(name), "unknown_variable",
                              "is not read by any variable of the automation"});
    if (!faults.empty()) return validation_failed(std::move(faults));
    return {};
}

}  // namespace parley::automation
