// Logging in at an OpenID provider, over HTTP.
#include "oidc/oidc.hpp"

#include "api/api.hpp"
#include "api/login_view.hpp"
#include "api/wire/oidc.hpp"
#include "auth/identities.hpp"
#include "auth/token_text.hpp"
#include "base/log.hpp"

namespace parley::api {
namespace {

Task<Result<OidcAttemptView>> begin_provider_login(oidc::Provider& provider, TokenHolder /*caller*/)
{
    auto begun = co_await provider.begin();
    if (!begun) co_return begun.error();
    co_return OidcAttemptView{.url = std::move(begun->url),
                              .attempt = std::move(begun->attempt),
                              .expires_at = rfc3339(begun->expires_at)};
}

// Exchanges the code; the attempt is used up in any case, so that a code is sent only once.
Task<Result<oidc::Person>> identify_person(oidc::Provider& provider, auth::Identities& identities,
                                           OidcCodeBody body)
{
    std::string issuer = std::move(body.iss).value_or("");
    auto attempt = provider.open(body.attempt, body.state, issuer);
    if (!attempt) co_return attempt.error();
    const auto used =
        co_await identities.use_attempt(auth::hash_token(attempt->state), attempt->expires_at);
    if (!used) co_return used.error();
    co_return co_await provider.identify(std::move(*attempt),
                                         {std::move(body.code), std::move(issuer)});
}

Task<Result<LoginView>> finish_provider_login(oidc::Provider& provider,
                                              auth::Identities& identities, TokenHolder /*caller*/,
                                              Origin origin, Body<OidcCodeBody> body)
{
    std::string label = std::move(body.label).value_or("");
    auto person = co_await identify_person(provider, identities, std::move(body));
    if (!person) {
        Error refusal = person.error();
        if (refusal.code == Errc::invalid_credentials) {
            log::warn("login at the provider refused", log::kv("reason", refusal.detail),
                      log::kv("address", origin.address), log::kv("request_id", origin.request_id));
            refusal.detail.clear();  // Or it would be logged again, as an error of the server.
            co_await identities.note_refusal({}, std::move(origin));
        }
        co_return refusal;
    }
    const auto login = co_await identities.log_in(
        {.identity = {provider.options().issuer, std::move(person->subject)},
         .names = std::move(person->names),
         .display_name = std::move(person->display_name),
         .role = person->role},
        std::move(label), std::move(origin));
    if (!login) co_return login.error();
    co_return login_view(*login);
}

}  // namespace

std::vector<Route> oidc_routes()
{
    // Who logs in is not known before the provider is asked, so only the address counts.
    const CountedAs counted{limits::Class::auth};
    return {
        route<begin_provider_login>(
            "POST", "/v1/api/auth/oidc/begin", "beginProviderLogin",
            "Begin a login at the OpenID provider", counted,
            description(
                "Returns the address of the provider's login page, with PKCE (S256), state and "
                "nonce. The provider sends the browser back to the web app, which finishes the "
                "login. 404 if this server has no provider."),
            may_fail(Errc::not_found, Errc::provider_error)),
        route<finish_provider_login>(
            "POST", "/v1/api/auth/oidc/callback", "finishProviderLogin",
            "Finish a login at the OpenID provider", counted,
            description(
                "Exchanges the provider's code for an access token and a refresh token of this "
                "server. An attempt can be used once. The first login of a person creates a user "
                "without a password. Groups of the provider decide about the role, if the "
                "operator has set this up."),
            may_fail(Errc::invalid_credentials, Errc::conflict, Errc::not_found,
                     Errc::provider_error)),
    };
}

}  // namespace parley::api
