#include "auth/second_factors.hpp"

#include "auth/recovery_codes.hpp"
#include "auth/refusal.hpp"
#include "auth/totp.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace parley::auth {
namespace {

constexpr std::int64_t free_failures = 5;
constexpr std::chrono::seconds first_wait{60};
constexpr std::chrono::seconds longest_wait{3600};

// How long after the last wrong code no other is looked at.
std::chrono::seconds wait_after(std::int64_t failures)
{
    if (failures < free_failures) return std::chrono::seconds(0);
    constexpr std::int64_t most_doublings = 6;
    const auto doublings = std::min(failures - free_failures, most_doublings);
    return std::min(first_wait * (std::int64_t{1} << doublings), longest_wait);
}

std::optional<Error> must_wait(const store::Totp& totp, TimePoint now)
{
    if (!totp.failed_at) return std::nullopt;
    const TimePoint end = *totp.failed_at + wait_after(totp.failures);
    if (now >= end) return std::nullopt;
    return Error{.code = Errc::rate_limited,
                 .message = "Too many wrong codes for this user: wait before the next attempt.",
                 .retry_after = std::chrono::ceil<std::chrono::seconds>(end - now)};
}

std::vector<store::CodeHash> hashes_of(const std::vector<Secret>& codes)
{
    std::vector<store::CodeHash> hashes;
    hashes.reserve(codes.size());
    for (const Secret& code : codes) hashes.push_back(recovery_code_hash(code.reveal()));
    return hashes;
}

Error no_second_factor() { return {Errc::conflict, "You have no second factor."}; }
Error wrong_code() { return refused({"wrong", "is not a valid code"}, "#/code"); }

}  // namespace

Task<Result<store::User>> SecondFactors::check_password(CallerRef caller, Secret password)
{
    auto user = co_await store_.accounts().find_user(caller->user);
    if (!user) co_return user.error();
    const auto verdict = co_await hasher_.verify(user->password_hash, std::move(password));
    if (!verdict) co_return verdict.error();
    if (*verdict == Verdict::wrong)
        co_return refused({"wrong", "is not the current password"}, "#/password");
    co_return user;
}

Result<Secret> SecondFactors::open(const std::string& user, const std::string& sealed) const
{
    if (!sealer_) return Error{Errc::internal, "no key for secrets was set"};
    return sealer_->open(user, sealed);
}

Task<Result<TotpEnrolment>> SecondFactors::enrol(CallerRef caller, Secret password)
{
    auto user = co_await check_password(caller, std::move(password));
    if (!user) co_return user.error();
    if (user->totp) co_return Error{Errc::conflict, "You have a second factor: disable it first."};
    if (!sealer_) co_return Error{Errc::internal, "no key for secrets was set"};
    TotpEnrolment made{.key = new_totp_key(), .username = user->username};
    auto stored = co_await store_.accounts().change_user(
        user->id,
        {.totp_pending = sealer_->seal(user->id, made.key), .expected_hash = user->password_hash});
    if (!stored) co_return stored.error();
    co_return made;
}

Task<Result<std::vector<Secret>>> SecondFactors::confirm(CallerRef caller, std::string code,
                                                         Origin origin)
{
    const auto user = co_await store_.accounts().find_user(caller->user);
    if (!user) co_return user.error();
    if (user->totp || user->totp_pending.empty())
        co_return Error{Errc::conflict, "There is no second factor to confirm."};
    const auto key = open(user->id, user->totp_pending);
    if (!key) co_return key.error();
    const auto step = find_totp_step(*key, normal_code(code), time_.wall().now(), 0);
    if (!step) co_return wrong_code();
    auto codes = new_recovery_codes();
    std::vector<store::AuditEvent> events{event(caller->actor, "totp.enabled", user->id, origin)};
    const auto changed = co_await store_.accounts().change_user(
        user->id,
        {.confirmed_totp = store::ConfirmedTotp{user->totp_pending, *step},
         .recovery_codes = hashes_of(codes),
         .login_to_keep = caller->login},
        std::move(events));
    authenticator_.forget_all(user->id);
    if (!changed) co_return changed.error();
    co_return codes;
}

Task<Result<std::vector<Secret>>> SecondFactors::renew_recovery_codes(CallerRef caller,
                                                                      Secret password,
                                                                      std::string code,
                                                                      Origin origin)
{
    const auto user = co_await check_password(caller, std::move(password));
    if (!user) co_return user.error();
    auto use = co_await check_owner(*user, std::move(code), origin);
    if (!use) co_return use.error();
    auto codes = new_recovery_codes();
    std::vector<store::AuditEvent> events{
        event(caller->actor, "totp.recovery_codes_renewed", user->id, origin)};
    const auto changed = co_await store_.accounts().change_user(
        user->id, {.recovery_codes = hashes_of(codes), .second_factor = std::move(*use)},
        std::move(events));
    if (!changed) co_return changed.error();
    co_return codes;
}

Task<Result<>> SecondFactors::disable(CallerRef caller, Secret password, std::string code,
                                      Origin origin)
{
    const auto user = co_await check_password(caller, std::move(password));
    if (!user) co_return user.error();
    auto use = co_await check_owner(*user, std::move(code), origin);
    if (!use) co_return use.error();
    std::vector<store::AuditEvent> events{event(caller->actor, "totp.disabled", user->id, origin)};
    const auto changed = co_await store_.accounts().change_user(
        user->id,
        {.removes_totp = true, .second_factor = std::move(*use), .login_to_keep = caller->login},
        std::move(events));
    authenticator_.forget_all(user->id);
    if (!changed) co_return changed.error();
    co_return Result<>();
}

Task<Result<>> SecondFactors::remove(std::string id, std::string actor, Origin origin)
{
    const auto user = co_await store_.accounts().find_user(id);
    if (!user) co_return user.error();
    if (!user->totp) co_return not_found("The second factor");
    std::vector<store::AuditEvent> events{event(std::move(actor), "totp.removed", id, origin)};
    const auto changed =
        co_await store_.accounts().change_user(id, {.removes_totp = true}, std::move(events));
    authenticator_.forget_all(id);
    if (!changed) co_return changed.error();
    co_return Result<>();
}

Task<Result<TotpState>> SecondFactors::state(std::string id)
{
    const auto user = co_await store_.accounts().find_user(id);
    if (!user) co_return user.error();
    const auto left = co_await store_.accounts().count_recovery_codes(std::move(id));
    if (!left) co_return left.error();
    co_return TotpState{.enabled = user->totp.has_value(), .recovery_codes_left = *left};
}

Task<Result<store::SecondFactorUse>> SecondFactors::check(store::User user, std::string code,
                                                          Origin origin)
{
    if (!user.totp) co_return store::SecondFactorUse();
    if (code.empty())
        co_return Error{Errc::second_factor_required,
                        "A code of the authenticator app is required."};
    const TimePoint now = time_.now();
    const store::CodeHash hash = recovery_code_hash(code);
    auto look = [this, now, id = user.id, text = std::move(code)](
                    const std::optional<store::Totp>& totp, bool is_recovery_code) {
        return judge(id, text, totp, is_recovery_code, now);
    };
    auto use = co_await store_.accounts().try_code(
        user.id, hash, std::move(look), now, event("anonymous", "totp.refused", user.id, origin));
    if (!use) co_return use.error();
    if (*use) co_return std::move(**use);
    log::warn("wrong code of a second factor after the right password", log::kv("user", user.id),
              log::kv("address", origin.address), log::kv("request_id", origin.request_id));
    co_return Error{Errc::invalid_credentials, "The code is wrong, or was used before."};
}

// The second factor is as it is now: the user was read before the password was checked, and of many
// attempts at once each must see the failures of those before.
Result<store::CodeVerdict> SecondFactors::judge(const std::string& user, const std::string& code,
                                                const std::optional<store::Totp>& totp,
                                                bool is_recovery_code, TimePoint now) const
{
    if (!totp) return store::CodeVerdict{.use = store::SecondFactorUse()};
    if (auto wait = must_wait(*totp, now)) return std::move(*wait);
    const auto key = open(user, totp->secret);
    if (!key) return key.error();
    const auto step_after = [&](std::int64_t last) {
        return find_totp_step(*key, normal_code(code), time_.wall().now(), last);
    };
    store::SecondFactorUse use{.secret = totp->secret};
    if (const auto step = step_after(totp->last_step))
        use.step = step;
    else if (is_recovery_code)
        use.recovery_code = recovery_code_hash(code);
    else  // A code that was right and is sent again is no guess.
        return store::CodeVerdict{.counts = !step_after(0)};
    return store::CodeVerdict{.use = std::move(use)};
}

// For a user who is logged in: a wrong code is a fault of the request, not of the login.
Task<Result<store::SecondFactorUse>> SecondFactors::check_owner(store::User user, std::string code,
                                                                Origin origin)
{
    if (!user.totp) co_return no_second_factor();
    auto use = co_await check(std::move(user), std::move(code), std::move(origin));
    if (!use && use.error().code == Errc::invalid_credentials) co_return wrong_code();
    co_return use;
}

}  // namespace parley::auth
