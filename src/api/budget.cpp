#include "api/budget.hpp"

#include <fmt/format.h>

namespace parley::api {
namespace {

using limits::Class;
using limits::Key;

Error rate_limited(const limits::Decision& decision)
{
    return {.code = Errc::rate_limited,
            .message =
                fmt::format("More than {} requests of this kind in {} seconds; try again in "
                            "{} s.",
                            decision.limit, decision.window.count(), decision.retry_after.count()),
            .retry_after = decision.retry_after,
            .extra = {{"violated-policies", {limits::name(decision.of)}}}};
}

limits::Keys keys_of(const Key& address, const std::optional<Account>& account)
{
    if (!account) return address;
    return {address, account->kind == Key::Kind::login ? Key::login(account->text)
                                                       : Key::account(account->text)};
}

}  // namespace

std::optional<Result<>> Budget::charge_now()
{
    owes_ = class_ == Class::auth;
    const auto decided =
        owes_ ? limiter_.peek_now(class_, payer()) : limiter_.admit_now(class_, payer());
    if (!decided) return std::nullopt;
    return take(*decided);
}

Task<Result<>> Budget::charge()
{
    owes_ = class_ == Class::auth;
    const auto decided =
        owes_ ? co_await limiter_.peek(class_, payer()) : co_await limiter_.admit(class_, payer());
    co_return take(decided);
}

Task<Result<>> Budget::charge_account(std::optional<Account> account)
{
    owes_ = false;
    const Key address = Key::address(call_.client);
    co_return take(co_await limiter_.admit(class_, keys_of(address, account)));
}

Task<Result<>> Budget::look_before_replay()
{
    owes_ = true;
    const auto general = co_await limiter_.peek(Class::general, payer());
    const auto own = co_await limiter_.peek(class_, payer());
    if (general && general->admitted && own && !own->admitted) co_return Result<>();
    co_return take(own);
}

Task<Result<>> Budget::charge_replay(bool replays)
{
    owes_ = false;
    if (replays) class_ = Class::general;
    co_return take(co_await limiter_.admit(class_, payer()));
}

// An attempt to log in is the address's, whoever makes it.
Key Budget::payer() const
{
    const bool has_user = call_.caller && !call_.caller->user.empty();
    return has_user && class_ != Class::auth ? Key::user(call_.caller->user)
                                             : Key::address(call_.client);
}

Result<> Budget::take(const Result<limits::Decision>& decided)
{
    if (!decided) return decided.error();
    decision_ = *decided;
    if (decision_->admitted) return {};
    owes_ = false;  // A refused request costs nothing.
    return rate_limited(*decision_);
}

void Budget::add_fields(Envelope& envelope) const
{
    if (!decision_) return;
    const std::string_view name = limits::name(decision_->of);
    envelope.add("RateLimit-Policy", fmt::format("\"{}\";q={};w={}", name, decision_->limit,
                                                 decision_->window.count()));
    envelope.add("RateLimit", fmt::format("\"{}\";r={};t={}", name, decision_->remaining,
                                          decision_->reset.count()));
    envelope.add("X-RateLimit-Limit", std::to_string(decision_->limit));
    envelope.add("X-RateLimit-Remaining", std::to_string(decision_->remaining));
    envelope.add("X-RateLimit-Reset", std::to_string(decision_->reset_at));
}

}  // namespace parley::api
