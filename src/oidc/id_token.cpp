#include "oidc/id_token.hpp"

#include "base/json.hpp"
#include "base/random.hpp"
#include "oidc/base64url.hpp"
#include "oidc/text_member.hpp"

#include <algorithm>
#include <optional>

namespace parley::oidc {
namespace {

constexpr std::size_t longest_token = std::size_t{64} * 1024;
constexpr std::size_t longest_subject = 255;
// The clocks of two servers differ.
constexpr std::chrono::seconds skew{60};
// The token was made for this request: an older one is a replay.
constexpr std::chrono::minutes longest_age{10};

Error refused_token(std::string why)
{
    return {Errc::invalid_credentials, "The login provider's ID token was refused. Log in again.",
            std::move(why)};
}

std::optional<boost::json::object> object_in(std::string_view part)
{
    const auto text = base64url_decoded(part);
    if (!text) return std::nullopt;
    auto parsed = json::parse(*text);
    if (!parsed || !parsed->is_object()) return std::nullopt;
    return std::move(parsed->get_object());
}

std::optional<Algorithm> algorithm_named(std::optional<std::string_view> name)
{
    if (name == "RS256") return Algorithm::rs256;
    if (name == "ES256") return Algorithm::es256;
    return std::nullopt;
}

bool fits(const Key& key, const IdToken& token)
{
    return key.algorithm == token.algorithm && (token.key_id.empty() || key.id == token.key_id);
}

// Seconds since 1970; some providers send fractions.
std::optional<TimePoint> time_member(const boost::json::object& claims, std::string_view name)
{
    const auto* value = claims.if_contains(name);
    if (!value || !value->is_number()) return std::nullopt;
    const auto seconds = value->to_number<double>();
    constexpr double year_2200 = 7'258'118'400;
    if (!(seconds >= 0 && seconds <= year_2200)) return std::nullopt;
    return TimePoint(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
}

bool names_client(const boost::json::value& audience, const std::string& client_id)
{
    if (const auto* text = audience.if_string()) return std::string_view(*text) == client_id;
    const auto* list = audience.if_array();
    return list && std::ranges::any_of(*list, [&](const boost::json::value& each) {
               return each.is_string() && std::string_view(each.get_string()) == client_id;
           });
}

Result<> check_audience(const boost::json::object& claims, const std::string& client_id)
{
    const auto* audience = claims.if_contains("aud");
    if (!audience || !names_client(*audience, client_id))
        return refused_token("aud does not name oidc.client_id");
    const bool has_several = audience->is_array() && audience->get_array().size() > 1;
    const bool has_party = claims.contains("azp");
    if (has_several && !has_party) return refused_token("several aud, and no azp");
    if (has_party && text_member(claims, "azp") != client_id)
        return refused_token("azp is not oidc.client_id");
    return {};
}

Result<> check_times(const boost::json::object& claims, TimePoint now)
{
    const auto expires_at = time_member(claims, "exp");
    if (!expires_at || *expires_at + skew <= now) return refused_token("exp: it has expired");
    const auto issued_at = time_member(claims, "iat");
    if (!issued_at || *issued_at > now + skew) return refused_token("iat is in the future");
    if (*issued_at + longest_age + skew < now) return refused_token("iat: it is too old");
    if (claims.contains("nbf")) {
        const auto begins_at = time_member(claims, "nbf");
        if (!begins_at || *begins_at > now + skew) return refused_token("nbf is in the future");
    }
    return {};
}

bool is_subject(std::string_view text)
{
    return !text.empty() && text.size() <= longest_subject &&
           std::ranges::none_of(text, [](char each) {
               const auto byte = static_cast<unsigned char>(each);
               return byte < 0x20 || byte == 0x7f;
           });
}

}  // namespace

Result<IdToken> read_id_token(std::string_view text)
{
    if (text.size() > longest_token) return refused_token("it is longer than 64 KiB");
    const std::size_t first = text.find('.');
    const std::size_t second = first == text.npos ? text.npos : text.find('.', first + 1);
    if (second == text.npos || text.find('.', second + 1) != text.npos)
        return refused_token("it does not have three parts");
    const auto header = object_in(text.substr(0, first));
    auto claims = object_in(text.substr(first + 1, second - first - 1));
    auto signature = base64url_decoded(text.substr(second + 1));
    if (!header || !claims || !signature) return refused_token("a part of it cannot be decoded");
    const auto algorithm = algorithm_named(text_member(*header, "alg"));
    if (!algorithm) return refused_token("alg is neither RS256 nor ES256");
    if (header->contains("crit")) return refused_token("crit names extensions");
    return IdToken{.algorithm = *algorithm,
                   .key_id = std::string(text_member(*header, "kid").value_or("")),
                   .signed_text = std::string(text.substr(0, second)),
                   .signature = std::move(*signature),
                   .claims = std::move(*claims)};
}

bool has_key_for(const IdToken& token, const Keys& keys)
{
    return std::ranges::any_of(keys, [&](const Key& key) { return fits(key, token); });
}

Result<> check_signature(const IdToken& token, const Keys& keys)
{
    if (!has_key_for(token, keys)) return refused_token("the provider has no such key");
    const bool is_signed = std::ranges::any_of(keys, [&](const Key& key) {
        return fits(key, token) && verifies(key, token.signed_text, token.signature);
    });
    if (!is_signed) return refused_token("the signature is wrong");
    return {};
}

Result<> check_claims(const boost::json::object& claims, const Expected& expected)
{
    if (text_member(claims, "iss") != expected.issuer)
        return refused_token("iss is not oidc.issuer");
    if (auto checked = check_audience(claims, expected.client_id); !checked) return checked;
    if (auto checked = check_times(claims, expected.now); !checked) return checked;
    const auto nonce = text_member(claims, "nonce");
    if (!nonce || !constant_time_equal(*nonce, expected.nonce))
        return refused_token("nonce is not that of this attempt");
    const auto subject = text_member(claims, "sub");
    if (!subject || !is_subject(*subject)) return refused_token("sub is not valid");
    return {};
}

}  // namespace parley::oidc
