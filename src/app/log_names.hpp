// Names of event logs between servers that share a database (cluster::Cluster::tell_others): an
// owner's log, or, with the prefix, the owner's webhooks.
#pragma once

#include "store/event_log.hpp"

#include <string>
#include <string_view>

namespace parley::app {

inline constexpr std::string_view webhooks_prefix = "webhooks_";

inline std::string name_of_log(const Owner& owner)
{
    return (owner.test ? "test_" : "") + owner.user;
}

inline Owner owner_of_log(const std::string& name)
{
    constexpr std::string_view test = "test_";
    if (!name.starts_with(test)) return {.user = name};
    return {.user = name.substr(test.size()), .test = true};
}

}  // namespace parley::app
