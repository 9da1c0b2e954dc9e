#include "api/budget.hpp"

#include <fmt/format.h>

namespace parley::api {
namespace {

using limits::Class;
using limits::Key;

// The key that had no room, for the message.
std::string_view counted_by(Key::Kind kind)
{
    switch (kind) {
        case Key::Kind::address:
            return " from this address";
        case Key::Kind::network:
            return " from this network";
        case Key::Kind::account:
            return " for this account";
        case Key::Kind::login:
            return " for this login";
        case Key::Kind::token:
            return " with this token";
        case Key::Kind::user:
            break;
    }
    return "";
}

Error rate_limited(const limits::Decision& decision)
{
    return {
        .code = Errc::rate_limited,
        .message = fmt::format(
            "The limit of {} requests{} in {} seconds is used up; retry in {} s.", decision.limit,
            decision.of == Class::hook ? " to this hook" : counted_by(decision.tightest),
            decision.window.count(), decision.retry_after.count()),
        .retry_after = decision.retry_after,
        .extra = {{"violated-policies", {limits::name(decision.of)}}}};
}

std::optional<std::uint32_t> number_of(const OwnLimits& own, Class of)
{
    static_assert(most_own_limit == limits::Limits::max_own_limit);
    if (of == Class::chat) return own.chat;
    return of == Class::general ? own.general : std::nullopt;
}

bool is_tighter(const limits::Decision& one, const limits::Decision& other)
{
    return one.remaining < other.remaining ||
           (one.remaining == other.remaining && one.reset > other.reset);
}

}  // namespace

limits::Keys payer(const auth::Caller* caller, const boost::asio::ip::address& client,
                   limits::Class of)
{
    // Attempts to log in always count against the address, with or without a caller.
    if (!caller || caller->user.empty() || of == Class::auth) return limits::Keys::address(client);
    // Calls to a hook cost its owner nothing.
    if (!caller->hook.empty()) return Key::hook(caller->hook);
    limits::Keys keys = Key::user(caller->user).limited_to(number_of(caller->user_limits, of));
    // A token with its own limit also counts against its user: both must have room.
    if (const auto number = number_of(caller->token_limits, of))
        keys.add(Key::token(caller->token_id).limited_to(number));
    return keys;
}

Ready<Result<>> Budget::charge()
{
    if (may_replay_) return charge_own_or_general();
    auto decided = limiter_.admit(class_, keys(class_));
    if (decided.is_ready()) return take(decided.take());
    return take_later(std::move(decided));
}

Task<Result<>> Budget::take_later(Ready<Result<limits::Decision>> decided)
{
    co_return take(co_await decided.wait());
}

Task<Result<>> Budget::charge_own_or_general()
{
    const auto own = co_await limiter_.admit(class_, keys(class_)).wait();
    if (own && !own->admitted) {
        const auto general = co_await limiter_.admit(Class::general, keys(Class::general)).wait();
        if (general && general->admitted) co_return take(general);
    }
    co_return take(own);
}

Task<Result<>> Budget::body_was_refused()
{
    if (charged_->of == Class::chat) co_return co_await move_to_general();
    co_return Result<>();
}

Task<Result<>> Budget::settle_replay(bool replays)
{
    if (replays == (charged_->of == Class::general)) co_return Result<>();
    if (replays) co_return co_await move_to_general();
    // The request's own class was full before the body was read. If it still is, the request is
    // refused. The charge to the general class stays in any case because the body was read: those
    // are never given back (limits/limiter.hpp).
    co_return take(co_await limiter_.admit(class_, keys(class_)).wait());
}

Task<Result<>> Budget::charge_account(Account account)
{
    const Key key =
        account.kind == Key::Kind::login ? Key::login(account.text) : Key::account(account.text);
    const limits::Decision by_address = *charged_;
    const auto by_account = co_await limiter_.admit(class_, key).wait();
    if (!by_account || !by_account->admitted) {
        if (auto given = co_await give_back(); !given) co_return given;
        co_return take(by_account);
    }
    told_ = is_tighter(by_address, *by_account) ? by_address : *by_account;
    co_return Result<>();
}

Task<Result<>> Budget::look()
{
    const auto standing = co_await limiter_.peek(class_, keys(class_)).wait();
    if (!standing) co_return standing.error();
    told_ = *standing;
    co_return Result<>();
}

limits::Keys Budget::keys(Class of) const { return payer(call_.caller.get(), call_.client, of); }

Result<> Budget::take(const Result<limits::Decision>& decided)
{
    if (!decided) return decided.error();
    told_ = *decided;
    if (!told_->admitted) return rate_limited(*told_);
    charged_ = *decided;
    return {};
}

Task<Result<>> Budget::give_back()
{
    const limits::Decision given = *charged_;
    charged_.reset();
    co_return co_await limiter_.give_back(given.of, keys(given.of), given.receipt);
}

// Charges the general class first: if it is full, the old charge stays, so that no body is read
// without a charge.
Task<Result<>> Budget::move_to_general()
{
    const auto general = co_await limiter_.admit(Class::general, keys(Class::general)).wait();
    if (!general) co_return general.error();
    if (!general->admitted) co_return Result<>();
    if (auto given = co_await give_back(); !given) co_return given;
    co_return take(general);
}

void Budget::add_fields(CommonHeaders& common_headers) const
{
    if (!told_) return;
    const std::string_view name = limits::name(told_->of);
    common_headers.add("RateLimit-Policy",
                       fmt::format("\"{}\";q={};w={}", name, told_->limit, told_->window.count()));
    common_headers.add(
        "RateLimit", fmt::format("\"{}\";r={};t={}", name, told_->remaining, told_->reset.count()));
    common_headers.add("X-RateLimit-Limit", std::to_string(told_->limit));
    common_headers.add("X-RateLimit-Remaining", std::to_string(told_->remaining));
    common_headers.add("X-RateLimit-Reset", std::to_string(told_->reset_at));
}

}  // namespace parley::api
