// What a request costs, and of whose budget: the class of its row, counted by user,
// or by address where there is none. Requests of class Auth are counted by address and by account
// name at once, so they are looked at before their body is read, and charged when the name is
// known.
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

class Budget {
public:
    // Limiter and call must outlive it.
    Budget(limits::Limiter& limiter, const Call& call, limits::Class of)
        : limiter_(limiter), call_(call), class_(of)
    {
    }

    // Before the body: charges, or only looks where charge_account() is still to come. All fail
    // with rate_limited, and with overloaded where the limiter has no room for one more address.
    //
    // Every request pays for this, so it is asked without a task first; charge() is for when that
    // gives nothing, because the limiter must wait for its answer.
    std::optional<Result<>> charge_now();
    Task<Result<>> charge();
    Task<Result<>> charge_account(std::optional<Account> account);

    // A request that may turn out to be a replay, which counts as General: looks whether there is
    // room for either, and charges when that is known.
    Task<Result<>> look_before_replay();
    Task<Result<>> charge_replay(bool replays);

    bool owes() const { return owes_; }

    // How things stand, if the limiter was asked: the RateLimit fields of the response.
    void add_fields(Envelope& envelope) const;

private:
    limits::Key payer() const;
    Result<> take(const Result<limits::Decision>& decided);

    limits::Limiter& limiter_;
    const Call& call_;
    limits::Class class_;  // Of the row; General once it is known to be a replay.
    bool owes_ = false;
    std::optional<limits::Decision> decision_;
};

}  // namespace parley::api
