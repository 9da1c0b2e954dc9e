// Requests and responses of logins at an OpenID provider.
#pragma once

#include "api/wire/forms.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

struct OidcAttemptView {
    std::string object = "oidc.attempt";
    std::string url;
    std::string attempt;
    std::string expires_at;

    static constexpr fields::SchemaInfo schema_info{
        "LoginAttempt", "An attempt to log in at the OpenID provider of this server."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = OidcAttemptView;
        return std::tuple(
            field("object", &View::object, "Always `oidc.attempt`.", one_of("oidc.attempt")),
            field("url", &View::url, "The provider's login page: send the browser there.",
                  example("https://id.example.org/authorize?response_type=code&client_id=parley")),
            field("attempt", &View::attempt,
                  "Keep it in the browser, and send it with the code that the provider returns. "
                  "It is secret: it proves that the same browser has begun.",
                  example("mV0c3Q9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("expires_at", &View::expires_at, "When the attempt expires: after 10 minutes.",
                  example("2026-01-31T09:40:00.000Z"), moment));
    }
};

struct OidcCodeBody {
    std::string attempt;
    std::string code;
    std::string state;
    std::optional<std::string> iss;
    std::optional<std::string> label;

    static constexpr fields::SchemaInfo schema_info{"ProviderCode",
                                                    "The code of the OpenID provider."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = OidcCodeBody;
        return std::tuple(
            field("attempt", &This::attempt, "The `attempt` of the response that began the login.",
                  length(1, 1024), example("mV0c3Q9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("code", &This::code, "Parameter `code` of the address that the browser came to.",
                  length(1, 8192), example("SplxlOBeZQQYbYS6WxSbIA")),
            field("state", &This::state, "Parameter `state` of that address.", length(1, 128),
                  example("Xk3vQ9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("iss", &This::iss, "Parameter `iss` of that address, if there is one.",
                  length(0, 2048), example("https://id.example.org")),
            field("label", &This::label, "Name of this login in the list of tokens.",
                  characters(0, 128), example("laptop")));
    }
};

}  // namespace parley::api
