#include "api/wire/automation_trigger.hpp"

#include "fields/read.hpp"
#include "fields/schema.hpp"
#include "fields/write.hpp"

namespace parley::api {
namespace {

constexpr auto kinds = fields::one_of("schedule", "event", "hook");

}  // namespace

bool Trigger::read(const boost::json::value& value, const fields::FieldPath& at)
{
    const auto* object = fields::detail::as_object(value, at);
    if (!object) return false;
    const auto* type = object->if_contains("type");
    if (type && type->is_string()) {
        const std::string_view name = type->get_string();
        const std::size_t before = at.reading().faults.size();
        kinds.check(name, at.member("type"));
        if (at.reading().faults.size() > before) return false;
        if (name == "event")
            return fields::detail::read_value(kind.emplace<EventTrigger>(), value, at);
        if (name == "hook")
            return fields::detail::read_value(kind.emplace<HookTrigger>(), value, at);
    }
    return fields::detail::read_value(kind.emplace<ScheduleTrigger>(), value, at);
}

boost::json::object Trigger::schema(fields::Direction direction)
{
    return {{"oneOf",
             {fields::schema<ScheduleTrigger>(direction), fields::schema<EventTrigger>(direction),
              fields::schema<HookTrigger>(direction), boost::json::object{{"type", "null"}}}}};
}

boost::json::value Trigger::to_json() const
{
    return std::visit([](const auto& one) -> boost::json::value { return fields::to_json(one); },
                      kind);
}

}  // namespace parley::api
