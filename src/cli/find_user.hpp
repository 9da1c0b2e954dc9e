// Finds a user of the interface by the name that people know.
#pragma once

#include "auth/names.hpp"
#include "cli/pages.hpp"

#include <limits>

namespace parley::cli {

// Compared as at login. Fails with not_found and a sentence.
inline Result<boost::json::object> find_user(ApiClient& api, const std::string& name)
{
    const auto wanted = auth::read_name(name);
    boost::json::object found;
    const auto looked = for_each_item(
        api, "/v1/api/users", std::numeric_limits<std::int64_t>::max(),
        [&](const boost::json::object& user) {
            const auto each =
                auth::read_name(boost::json::value_to<std::string>(user.at("username")));
            if (wanted && each && each->key == wanted->key) found = user;
            return found.empty();
        });
    if (!looked) return looked.error();
    if (found.empty()) return Error{Errc::not_found, "There is no user " + name + "."};
    return found;
}

}  // namespace parley::cli
