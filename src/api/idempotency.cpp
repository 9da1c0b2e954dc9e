#include "api/idempotency.hpp"

#include "api/run_answers.hpp"
#include "base/json.hpp"
#include "chat/questions.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <sodium/crypto_hash_sha256.h>

#include <algorithm>
#include <vector>

namespace parley::api {
namespace {

constexpr std::size_t max_key_length = 255;

bool is_visible(char byte) { return byte > ' ' && byte < '\x7f'; }

Error invalid_key(std::string why, std::string field = "Idempotency-Key")
{
    return {Errc::invalid_idempotency_key, std::move(field) + ": " + std::move(why)};
}

Result<std::optional<std::string>> checked_key(std::string key, const char* field)
{
    if (key.empty() || key.size() > max_key_length)
        return invalid_key("must have 1 to 255 characters", field);
    if (!std::ranges::all_of(key, is_visible))
        return invalid_key("must have only visible ASCII characters", field);
    return std::optional(std::move(key));
}

// The text of a quoted string of structured fields (RFC 8941).
std::optional<std::string> unquoted(std::string_view value)
{
    if (value.size() < 2 || !value.starts_with('"') || !value.ends_with('"')) return std::nullopt;
    value = value.substr(1, value.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '"') return std::nullopt;
        if (value[i] == '\\') {
            ++i;
            if (i == value.size() || (value[i] != '"' && value[i] != '\\')) return std::nullopt;
        }
        text += value[i];
    }
    return text;
}

void append_canonical(std::string& out, const boost::json::value& value)
{
    if (const auto* list = value.if_array()) {
        out += '[';
        for (const auto& item : *list) {
            append_canonical(out, item);
            out += ',';
        }
        out += ']';
    } else if (const auto* object = value.if_object()) {
        std::vector<const boost::json::key_value_pair*> members;
        for (const auto& member : *object) members.push_back(&member);
        std::ranges::sort(members, {}, [](const auto* member) { return member->key(); });
        out += '{';
        for (const auto* member : members) {
            json::append_quoted(out, member->key());
            out += ':';
            append_canonical(out, member->value());
            out += ',';
        }
        out += '}';
    } else {
        out += boost::json::serialize(value);
    }
}

void add(crypto_hash_sha256_state& hash, std::string_view text)
{
    crypto_hash_sha256_update(&hash, reinterpret_cast<const unsigned char*>(text.data()),
                              text.size());
}

// The value of a field that is a key.
Result<std::optional<std::string>> key_in(const http::RequestHead& head, const char* field)
{
    const auto value = head.field(field);
    if (!value) return std::optional<std::string>();
    if (head.count(field) > 1) return invalid_key("must be given once only", field);
    return checked_key(std::string(*value), field);
}

}  // namespace

std::string canonical(const boost::json::value& value)
{
    std::string text;
    append_canonical(text, value);
    return text;
}

Result<std::optional<std::string>> idempotency_key(const http::RequestHead& head)
{
    const auto value = head.field("idempotency-key");
    if (!value) return std::optional<std::string>();
    if (head.count("idempotency-key") > 1) return invalid_key("must be given once only");
    std::string key(*value);
    if (key.starts_with('"')) {
        auto text = unquoted(key);
        if (!text) return invalid_key("the quotes do not match");
        key = std::move(*text);
    }
    return checked_key(std::move(key), "Idempotency-Key");
}

Result<std::optional<std::string>> delivery_key(const http::RequestHead& head,
                                                std::string_view signed_id)
{
    if (!signed_id.empty()) return checked_key(std::string(signed_id), "webhook-id");
    auto key = idempotency_key(head);
    if (key && !*key) key = key_in(head, "webhook-id");
    if (key && !*key) key = github_delivery_key(head);
    return key;
}

Result<std::optional<std::string>> github_delivery_key(const http::RequestHead& head)
{
    return key_in(head, "X-GitHub-Delivery");
}

Result<std::optional<store::KeyClaim>> key_claim(const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock)
{
    auto key = idempotency_key(head);
    if (!key) return key.error();
    if (!*key) return std::optional<store::KeyClaim>();
    store::KeyClaim claim{
        .key = std::move(**key), .now = clock.now(), .expires_at = clock.now() + chat::key_life};
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    add(hash, operation);
    add(hash, "\n");
    add(hash, request);
    crypto_hash_sha256_final(&hash, claim.fingerprint.data());
    return std::optional(std::move(claim));
}

Result<std::optional<store::OwnClaim>> own_claim(const SignedIn& caller,
                                                 const http::RequestHead& head,
                                                 std::string_view operation,
                                                 std::string_view request, const Clock& clock)
{
    auto claim = key_claim(head, operation, request, clock);
    if (!claim) return claim.error();
    if (!*claim || caller->user.empty()) return std::optional<store::OwnClaim>();
    return std::optional(store::OwnClaim{owner_of(caller), std::move(**claim)});
}

}  // namespace parley::api
