// Members of JSON objects that a provider has sent.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

namespace parley::oidc {

// Nothing if it is absent, or no text. Valid as long as the object.
inline std::optional<std::string_view> text_member(const boost::json::object& from,
                                                   std::string_view name)
{
    const auto* value = from.if_contains(name);
    if (!value || !value->is_string()) return std::nullopt;
    return std::string_view(value->get_string());
}

}  // namespace parley::oidc
