// The person whom a provider has identified: names for a new user, and the role by their groups.
//
// Threads: plain functions, to be called from any thread.
#pragma once

#include "base/error.hpp"
#include "domain/role.hpp"
#include "oidc/options.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace parley::oidc {

struct Person {
    std::string subject;
    std::vector<std::string> names = {};  // Wanted user names, the best first.
    std::string display_name = {};
    std::optional<Role> role = {};  // Nothing without oidc.operator_groups.
};

// Whether the claims say what person_of() needs. If not, the provider may say it at its UserInfo
// endpoint.
bool is_complete(const boost::json::object& claims, const Options& options);

// From checked claims. Fails with invalid_credentials if the person is in no group that may log in.
Result<Person> person_of(const boost::json::object& claims, const Options& options);

}  // namespace parley::oidc
