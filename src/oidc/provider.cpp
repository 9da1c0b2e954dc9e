#include "oidc/provider.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "oidc/text_member.hpp"
#include "oidc/token_request.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace parley::oidc {
namespace {

using http::client::ClientRequest;
using http::client::ClientResponse;
using http::client::Url;

constexpr std::chrono::hours cache_life{1};
constexpr std::chrono::minutes between_key_fetches{1};

Error no_provider() { return {Errc::not_found, "This server has no login provider."}; }

Error of_another_provider(std::string why)
{
    return {Errc::invalid_credentials, "The code is of another login provider. Log in again.",
            std::move(why)};
}

Error unexpected_status(const char* where, int status)
{
    return {Errc::provider_error, "The login provider answered with an error.",
            std::string(where) + ": status " + std::to_string(status)};
}

// The log says what is wrong; people who log in cannot fix it.
template <class T>
DeducedResult<T> logged(DeducedResult<T> result, const std::string& issuer)
{
    if (!result && result.error().code == Errc::provider_error)
        log::warn("login provider failed", log::kv("issuer", issuer),
                  log::kv("reason", result.error().detail));
    return result;
}

// Claims that only the UserInfo endpoint has; the ID token's own win.
void add_claims(boost::json::object& claims, const boost::json::object& more)
{
    for (const auto& each : more)
        if (!claims.contains(each.key())) claims.emplace(each.key(), each.value());
}

}  // namespace

Provider::Provider(Options options, Secret client_secret, const Secret& key,
                   http::client::Clients& clients, const TrustedTime& time)
    : options_(std::move(options)),
      client_secret_(std::move(client_secret)),
      attempts_(key, options_.issuer + " " + options_.client_id),
      clients_(clients),
      time_(time)
{
}

Task<Result<ClientResponse>> Provider::send(ClientRequest request)
{
    auto& client = clients_.here(co_await boost::asio::this_coro::executor).client;
    auto response = co_await client.send(std::move(request));
    if (!response)
        co_return Error{Errc::provider_error,
                        "The login provider cannot be reached. Try again later.",
                        response.error().message};
    co_return std::move(*response);
}

Task<Result<Provider::MetadataRef>> Provider::metadata()
{
    {
        const MutexLock lock(mutex_);
        if (metadata_.value && time_.steady() - metadata_.fetched_at < cache_life)
            co_return metadata_.value;
    }
    auto url = metadata_url(options_.issuer);
    if (!url) co_return url.error();  // Checked at the start.
    const auto response = co_await send(bounded_request(std::move(*url)));
    if (!response) co_return response.error();
    if (response->status != 200)
        co_return unexpected_status("openid-configuration", response->status);
    auto read = read_metadata(response->body, options_.issuer);
    if (!read) co_return read.error();
    auto fetched = std::make_shared<const Metadata>(std::move(*read));
    const MutexLock lock(mutex_);
    metadata_ = {fetched, time_.steady()};
    co_return fetched;
}

Task<Result<Provider::KeysRef>> Provider::keys_for(const IdToken& token, Url url)
{
    KeysRef known;
    bool are_new = false;
    {
        const MutexLock lock(mutex_);
        const auto age = time_.steady() - keys_.fetched_at;
        if (age < cache_life) known = keys_.value;
        are_new = age < between_key_fetches;
    }
    // Ids do not decide: keys may have none, or be replaced under the same one.
    if (known && (are_new || check_signature(token, *known))) co_return known;
    const auto response = co_await send(bounded_request(std::move(url)));
    if (!response) co_return response.error();
    if (response->status != 200) co_return unexpected_status("jwks_uri", response->status);
    auto read = read_keys(response->body);
    if (!read) co_return read.error();
    auto fetched = std::make_shared<const Keys>(std::move(*read));
    const MutexLock lock(mutex_);
    keys_ = {fetched, time_.steady()};
    co_return fetched;
}

Task<Result<Begun>> Provider::begin()
{
    if (options_.issuer.empty()) co_return no_provider();
    const auto known = logged(co_await metadata(), options_.issuer);
    if (!known) co_return known.error();
    const Attempt attempt = Attempts::make(time_.now());
    std::string scopes;
    for (const std::string& each : options_.scopes) scopes += (scopes.empty() ? "" : " ") + each;
    const std::string& url = (*known)->authorization_url;
    const char* joint = url.find('?') == url.npos ? "?" : "&";
    co_return Begun{.url = url + joint +
                           form_of({{"response_type", "code"},
                                    {"client_id", options_.client_id},
                                    {"redirect_uri", options_.redirect_uri},
                                    {"scope", scopes},
                                    {"state", attempt.state},
                                    {"nonce", attempt.nonce},
                                    {"code_challenge", attempt.challenge()},
                                    {"code_challenge_method", "S256"}}),
                    .attempt = attempts_.seal(attempt),
                    .expires_at = attempt.expires_at};
}

Result<Attempt> Provider::open(std::string_view attempt, std::string_view state,
                               std::string_view issuer) const
{
    if (options_.issuer.empty()) return no_provider();
    if (!issuer.empty() && issuer != options_.issuer)
        return of_another_provider("iss is not oidc.issuer");
    return attempts_.open(attempt, state, time_.now());
}

Task<Result<boost::json::object>> Provider::fetch_user_info(Url url, Secret access_token,
                                                            std::string subject)
{
    auto request = bounded_request(std::move(url));
    request.fields.push_back({"Authorization", "Bearer " + std::string(access_token.reveal())});
    const auto response = co_await send(std::move(request));
    if (!response) co_return response.error();
    if (response->status != 200) co_return unexpected_status("userinfo", response->status);
    auto parsed = json::parse(response->body);
    if (!parsed || !parsed->is_object() || text_member(parsed->get_object(), "sub") != subject)
        co_return Error{Errc::provider_error, "The login provider's response cannot be read.",
                        "userinfo: no JSON, or of another person"};
    co_return std::move(parsed->get_object());
}

Task<Result<Person>> Provider::identify(Attempt attempt, Returned returned)
{
    const auto known = logged(co_await metadata(), options_.issuer);
    if (!known) co_return known.error();
    // Otherwise another provider could hide that the code is its own (RFC 9207).
    if ((*known)->names_itself && returned.issuer.empty())
        co_return of_another_provider("iss is missing, which the provider promises to send");
    const auto answered = logged(
        co_await send(token_request(**known, options_, client_secret_, attempt, returned.code)),
        options_.issuer);
    if (!answered) co_return answered.error();
    auto tokens = logged(read_token_response(*answered), options_.issuer);
    if (!tokens) co_return tokens.error();
    auto token = read_id_token(tokens->id_token);
    if (!token) co_return token.error();
    const auto keys = logged(co_await keys_for(*token, (*known)->keys), options_.issuer);
    if (!keys) co_return keys.error();
    if (auto checked = check_signature(*token, **keys); !checked) co_return checked.error();
    const Expected expected{.issuer = options_.issuer,
                            .client_id = options_.client_id,
                            .nonce = attempt.nonce,
                            .now = time_.wall().now()};
    if (auto checked = check_claims(token->claims, expected); !checked) co_return checked.error();

    boost::json::object claims = std::move(token->claims);
    const bool may_ask = (*known)->user_info && !tokens->access_token.empty();
    if (may_ask && !is_complete(claims, options_)) {
        const std::string subject(text_member(claims, "sub").value_or(""));
        const auto more = logged(co_await fetch_user_info(*(*known)->user_info,
                                                          std::move(tokens->access_token), subject),
                                 options_.issuer);
        if (!more) co_return more.error();
        add_claims(claims, *more);
    }
    co_return person_of(claims, options_);
}

}  // namespace parley::oidc
