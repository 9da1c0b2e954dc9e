#include "automation/hook_callers.hpp"

namespace parley::automation {
namespace {

constexpr std::size_t longest_id = 40;

auth::CallerRef caller_of(const store::Automation& automation, std::string_view signed_id = {})
{
    return std::make_shared<auth::Caller>(auth::Caller{.user = automation.owner.user,
                                                       .actor = automation.hook->id,
                                                       .hook = automation.hook->id,
                                                       .signed_id = std::string(signed_id),
                                                       .kind = auth::TokenKind::hook});
}

}  // namespace

Task<Result<std::optional<store::Automation>>> HookCallers::find(std::string hook)
{
    if (hook.size() > longest_id) co_return std::optional<store::Automation>();
    auto found = co_await store_.automations().find_hook(std::move(hook));
    if (!found && found.error().code != Errc::not_found) co_return found.error();
    if (!found || found->owner_is_disabled || !found->automation.hook)
        co_return std::optional<store::Automation>();
    co_return std::optional(std::move(found->automation));
}

Task<Result<auth::CallerRef>> HookCallers::by_token(std::string hook, std::string token)
{
    // Without a correct checksum it costs no look-up.
    if (auth::token_kind(token) != auth::TokenKind::hook) co_return auth::invalid_token();
    const auto automation = co_await find(std::move(hook));
    if (!automation) co_return automation.error();
    if (!*automation || !HookSecrets::accepts_token(*(*automation)->hook, token, time_.now()))
        co_return auth::invalid_token();
    co_return caller_of(**automation);
}

Task<Result<auth::CallerRef>> HookCallers::by_signature(auth::SignedCall call)
{
    const auto automation = co_await find(call.hook);
    if (!automation) co_return automation.error();
    const CallTime now{.trusted = time_.now(), .wall = time_.wall().now()};
    if (!*automation) {
        secrets_.pretend_to_check(call, now);
        co_return auth::wrong_signature();
    }
    const auto is_right = secrets_.accepts_signature(*(*automation)->hook, call, now);
    if (!is_right) co_return is_right.error();
    if (!*is_right) co_return auth::wrong_signature();
    const bool signs_id = (*automation)->hook->verify == HookVerification::standard_webhooks;
    co_return caller_of(**automation, signs_id ? call.webhook_id : std::string_view());
}

}  // namespace parley::automation
