// Charges a request to the rate limit: in the class of its row, by user, or by address if there is
// no user. It is charged before its body is read, so that nothing can be sent for free; if the body
// shows that it belongs to another class, the charge moves. Requests of class Auth are counted by
// address before the body and by account name after it: both limits must have room.
//
// Threads: as the limiter.
#pragma once

#include "api/call.hpp"
#include "limits/limiter.hpp"

#include <optional>
#include <string>

namespace parley::api {

// Counted in addition to the address: the user of a login, or the account name of a login attempt.
struct Account {
    limits::Key::Kind kind;
    std::string text;
};

// The keys that count the requests of a caller: the address, if the token belongs to no user.
limits::Keys payer(const auth::Caller* caller, const boost::asio::ip::address& client,
                   limits::Class of);

class Budget {
public:
    // Limiter and call must outlive it. `may_replay`: the request has an idempotency key, so it may
    // be a replay, which counts as General.
    Budget(limits::Limiter& limiter, const Call& call, limits::Class of, bool may_replay)
        : limiter_(limiter), call_(call), class_(of), may_replay_(may_replay)
    {
    }

    // Before the body: charges the class of the row, or General if that class is full and the
    // request may be a replay. All fail with rate_limited, and with overloaded if the limiter has
    // no room for one more user.
    Ready<Result<>> charge();

    // After the body, if the request was charged: corrects the charge.
    Task<Result<>> body_was_refused();
    Task<Result<>> settle_replay(bool replays);
    Task<Result<>> charge_account(Account account);

    // For a request that is not counted: reads the state of its limit.
    Task<Result<>> look();

    bool is_charged() const { return charged_.has_value(); }

    // Adds the RateLimit fields to the response, if the limiter was asked.
    void add_fields(CommonHeaders& common_headers) const;

private:
    limits::Keys keys(limits::Class of) const;
    Result<> take(const Result<limits::Decision>& decided);
    Task<Result<>> take_later(Ready<Result<limits::Decision>> decided);
    Task<Result<>> charge_own_or_general();
    Task<Result<>> give_back();
    Task<Result<>> move_to_general();

    limits::Limiter& limiter_;
    const Call& call_;
    limits::Class class_;  // The class of the route.
    bool may_replay_;
    std::optional<limits::Decision> charged_;  // To be given back if the charge moves.
    std::optional<limits::Decision> told_;     // Shown to the client.
};

}  // namespace parley::api
