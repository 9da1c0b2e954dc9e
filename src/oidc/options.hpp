// The settings of the login at an OpenID provider.
#pragma once

#include <string>
#include <vector>

namespace parley::oidc {

struct Options {
    std::string issuer = {};  // As the provider names itself; empty: no provider.
    std::string client_id = {};
    std::vector<std::string> scopes = {"openid", "profile", "email"};
    std::string name = "SSO";  // On the button.
    std::string groups_claim = "groups";
    // Members of one of these are operators, all others are not. Empty: roles do not change.
    std::vector<std::string> operator_groups = {};
    // Only members of one of these, and operators, may log in. Empty: all users may.
    std::vector<std::string> allowed_groups = {};
    // The page to which the provider sends the browser back; from server.public_url.
    std::string redirect_uri = {};
};

}  // namespace parley::oidc
