// What a request costs, and of whose budget: the class of its row, counted by user, or by address
// if there is none. It is charged before its body is read, so that nothing can be sent for free; if
// the body shows that it counts elsewhere, the charge moves. Requests of class Auth are counted by
// address before the body and by account name after it: both must have room.
//
// Threads: as the limiter.
#pragma once

#include "api/call.hpp"
#include "limits/limiter.hpp"

#include <optional>
#include <string>

namespace parley::api {

// Beside the address: whose login it is, or what account name it tries.
struct Account {
    limits::Key::Kind kind;
    std::string text;
};

// By which requests of a caller are counted; by address if the token belongs to no user.
limits::Keys payer(const auth::Caller* caller, const boost::asio::ip::address& client,
                   limits::Class of);

class Budget {
public:
    // Limiter and call must outlive it. `may_replay`: it has an idempotency key, so that it may
    // only repeat what was done, which counts as General.
    Budget(limits::Limiter& limiter, const Call& call, limits::Class of, bool may_replay)
        : limiter_(limiter), call_(call), class_(of), may_replay_(may_replay)
    {
    }

    // Before the body: charges the class of the row, or General if that class is full and the
    // request may be a replay. All fail with rate_limited, and with overloaded if the limiter has
    // no room for one more user.
    //
    // Every request pays for this, so it is asked without a task first; charge() is for when that
    // gives nothing, because the limiter must wait for its answer.
    std::optional<Result<>> charge_now();
    Task<Result<>> charge();

    // After the body, if it was charged: what the body says about the charge.
    Task<Result<>> body_was_refused();
    Task<Result<>> settle_replay(bool replays);
    Task<Result<>> charge_account(Account account);

    // For a request that is not counted: how things stand, whatever that is.
    Task<Result<>> look();

    bool is_charged() const { return charged_.has_value(); }

    // How things stand, if the limiter was asked: the RateLimit fields of the response.
    void add_fields(CommonHeaders& common_headers) const;

private:
    limits::Keys keys(limits::Class of) const;
    Result<> take(const Result<limits::Decision>& decided);
    Task<Result<>> give_back();
    Task<Result<>> move_to_general();

    limits::Limiter& limiter_;
    const Call& call_;
    limits::Class class_;  // Of the row.
    bool may_replay_;
    std::optional<limits::Decision> charged_;  // What can be given back.
    std::optional<limits::Decision> told_;     // What the client is told.
};

}  // namespace parley::api
