#include "automation/listening.hpp"

namespace parley::automation {

Listening listening_of(const api::EventTrigger& trigger, Faults& faults)
{
    Listening listening{.automation = trigger.automation_id.value_or(""),
                        .session = trigger.session_id.value_or("")};
    for (std::size_t i = 0; i < trigger.event_types.size(); ++i) {
        const EventTypes named = types_named(trigger.event_types[i]);
        if (named.empty())
            faults.push_back({"#/trigger/event_types/" + std::to_string(i), "invalid",
                              "\"" + trigger.event_types[i] + "\" is not a type of event"});
        listening.types.add(named);
    }
    return listening;
}

bool Listening::wants(const store::Event& event) const
{
    const auto is_about = [&event](const std::string& id) {
        return id.empty() || event.subject == id || event.parent == id;
    };
    return types.has(event.type) && is_about(automation) && is_about(session);
}

}  // namespace parley::automation
