#include "automation/hook_secrets.hpp"

#include "auth/token_text.hpp"
#include "base/id.hpp"
#include "base/random.hpp"
#include "webhook/rotation.hpp"
#include "webhook/signature.hpp"

#include <array>
#include <vector>

namespace parley::automation {
namespace {

// GitHub takes any text as a secret: 238 bits.
constexpr std::size_t github_secret_length = 40;
constexpr std::size_t shown_at_end = 4;

std::string bytes_of(const auth::TokenHash& hash)
{
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

// The secrets that calls may have now.
std::vector<std::string_view> valid_secrets(const store::Hook& hook, TimePoint now)
{
    std::vector<std::string_view> secrets = webhook::valid_ones(hook.old, now);
    secrets.emplace_back(hook.secret);
    return secrets;
}

Result<bool> is_signed_with(const Secret& secret, HookVerification verify,
                            const auth::SignedCall& call, TimePoint now)
{
    if (verify == HookVerification::github)
        return webhook::verify_github(call.github_signature, call.body, secret);
    auto parsed = webhook::SigningSecret::parse(secret.reveal());
    if (!parsed) return parsed.error();
    const std::array<webhook::SigningSecret, 1> only{std::move(*parsed)};
    return webhook::verify({.id = std::string(call.webhook_id),
                            .timestamp = std::string(call.webhook_timestamp),
                            .signature = std::string(call.webhook_signature)},
                           call.body, only, now);
}

}  // namespace

NewHook HookSecrets::make(HookVerification verify, TimePoint now) const
{
    NewHook made{.hook = {.id = new_id("hok", now), .verify = verify, .created_at = now},
                 .secret = {}};
    made.secret = set_secret(made.hook);
    return made;
}

Result<NewHook> HookSecrets::rotated(const store::Hook& hook, std::chrono::seconds overlap,
                                     TimePoint now) const
{
    auto old = webhook::old_after_rotation(hook.old, hook.secret, overlap, now);
    if (!old) return old.error();
    NewHook made{.hook = hook, .secret = {}};
    made.hook.old = std::move(*old);
    made.secret = set_secret(made.hook);
    return made;
}

std::string HookSecrets::set_secret(store::Hook& hook) const
{
    if (hook.verify == HookVerification::token) {
        const Secret token = auth::new_token(auth::TokenKind::hook);
        hook.secret = bytes_of(auth::hash_token(token.reveal()));
        hook.hint = auth::token_hint(token.reveal());
        return std::string(token.reveal());
    }
    std::string text;
    if (hook.verify == HookVerification::standard_webhooks) {
        const auto made = webhook::SigningSecret::make();
        text = made.text().reveal();
        hook.hint = made.hint();
    } else {
        text = random_base62(github_secret_length);
        hook.hint = "…" + text.substr(text.size() - shown_at_end);
    }
    hook.secret = sealer_.seal(hook.id, Secret(text));
    return text;
}

bool HookSecrets::accepts_token(const store::Hook& hook, std::string_view token, TimePoint now)
{
    if (hook.verify != HookVerification::token) return false;
    const std::string hash = bytes_of(auth::hash_token(token));
    bool found = false;
    for (const std::string_view each : valid_secrets(hook, now))
        found |= constant_time_equal(each, hash);
    return found;
}

Result<bool> HookSecrets::accepts_signature(const store::Hook& hook, const auth::SignedCall& call,
                                            CallTime now) const
{
    if (hook.verify == HookVerification::token) {
        pretend_to_check(call, now);
        return false;
    }
    bool found = false;
    for (const std::string_view each : valid_secrets(hook, now.trusted)) {
        const auto secret = sealer_.open(hook.id, each);
        if (!secret) return secret.error();
        const auto is_right = is_signed_with(*secret, hook.verify, call, now.wall);
        if (!is_right) return is_right.error();
        found |= *is_right;
    }
    return found;
}

void HookSecrets::pretend_to_check(const auth::SignedCall& call, CallTime now) const
{
    const auto verify = call.webhook_signature.empty() ? HookVerification::github
                                                       : HookVerification::standard_webhooks;
    const store::Hook other = make(verify, now.trusted).hook;
    static_cast<void>(accepts_signature(other, call, now));
}

}  // namespace parley::automation
