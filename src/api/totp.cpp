// Your second factor over HTTP.
#include "api/wire/totp.hpp"

#include "api/api.hpp"
#include "api/invitation_links.hpp"
#include "api/public_url.hpp"
#include "auth/second_factors.hpp"
#include "auth/totp.hpp"
#include "base/base32.hpp"

namespace parley::api {
namespace {

using Self = With<auth::Scope::account>;

RecoveryCodesView shown_codes(const std::vector<Secret>& codes)
{
    RecoveryCodesView view;
    for (const Secret& code : codes) view.recovery_codes.emplace_back(code.reveal());
    return view;
}

// The name of this server in the app.
std::string issuer_of(const InvitationLinks& links)
{
    const std::string host = host_of(links.public_url);
    return host.empty() ? "Parley" : host;
}

Task<Result<TotpView>> get_second_factor(auth::SecondFactors& factors, SignedIn caller)
{
    const auto state = co_await factors.state(caller->user);
    if (!state) co_return state.error();
    co_return TotpView{.enabled = state->enabled,
                       .recovery_codes_left = state->recovery_codes_left};
}

Task<Result<Created<TotpEnrolmentView>>> enrol_second_factor(auth::SecondFactors& factors,
                                                             const InvitationLinks& links,
                                                             Self caller,
                                                             Body<TotpPasswordBody> body)
{
    const auto made = co_await factors.enrol(caller.ref(), Secret::taken_from(body.password));
    if (!made) co_return made.error();
    co_return Created<TotpEnrolmentView>{
        {.secret = base32(made->key.reveal()),
         .uri = auth::totp_uri(issuer_of(links), made->username, made->key)},
        "/v1/api/me/totp"};
}

Task<Result<RecoveryCodesView>> confirm_second_factor(auth::SecondFactors& factors, Self caller,
                                                      Origin origin, Body<TotpCodeBody> body)
{
    const auto codes =
        co_await factors.confirm(caller.ref(), std::move(body.code), std::move(origin));
    if (!codes) co_return codes.error();
    co_return shown_codes(*codes);
}

Task<Result<RecoveryCodesView>> renew_recovery_codes(auth::SecondFactors& factors, Self caller,
                                                     Origin origin, Body<TotpOwnerBody> body)
{
    const auto codes = co_await factors.renew_recovery_codes(
        caller.ref(), Secret::taken_from(body.password), std::move(body.code), std::move(origin));
    if (!codes) co_return codes.error();
    co_return shown_codes(*codes);
}

Task<Result<>> disable_second_factor(auth::SecondFactors& factors, Self caller, Origin origin,
                                     Body<TotpOwnerBody> body)
{
    return factors.disable(caller.ref(), Secret::taken_from(body.password), std::move(body.code),
                           std::move(origin));
}

Task<std::optional<Account>> account_of_caller(Call& call)
{
    co_return Account{limits::Key::Kind::account, call.caller->name_key};
}

}  // namespace

std::vector<Route> totp_routes()
{
    const CountedAs counted{limits::Class::auth, account_of_caller};
    return {
        route<get_second_factor>("GET", "/v1/api/me/totp", "getSecondFactor",
                                 "Get the state of your second factor"),
        route<enrol_second_factor>(
            "POST", "/v1/api/me/totp", "enrolSecondFactor", "Begin to set up a second factor",
            counted,
            description(
                "Returns a key for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 "
                "seconds). Nothing changes until a code of the app confirms it. A second request "
                "replaces the key."),
            may_fail(Errc::conflict)),
        route<confirm_second_factor>(
            "POST", "/v1/api/me/totp/confirm", "confirmSecondFactor", "Confirm your second factor",
            counted,
            description(
                "From now on logging in needs a code. Returns ten recovery codes and ends all "
                "your other logins; tokens stay."),
            may_fail(Errc::conflict)),
        route<renew_recovery_codes>("POST", "/v1/api/me/totp/recovery-codes", "renewRecoveryCodes",
                                    "Replace your recovery codes", counted,
                                    may_fail(Errc::conflict)),
        route<disable_second_factor>("POST", "/v1/api/me/totp/disable", "disableSecondFactor",
                                     "Disable your second factor", counted,
                                     description("Ends all your other logins; tokens stay."),
                                     may_fail(Errc::conflict)),
    };
}

}  // namespace parley::api
