// Which scope a token needs to read an event.
#pragma once

#include "auth/scope.hpp"
#include "domain/event.hpp"

#include <string_view>

namespace parley::auth {

constexpr Scope scope_of_event(std::string_view type)
{
    if (type.starts_with("chat.")) return Scope::chat_read;
    if (type.starts_with("automation.") || type.starts_with("webhook."))
        return Scope::automation_read;
    return Scope::account;
}

constexpr EventTypes readable_events(Scopes scopes)
{
    EventTypes types;
    for (const auto& each : names_of(EventType{}))
        if (scopes.has(scope_of_event(each.name))) types.add(each.value);
    return types;
}

}  // namespace parley::auth
