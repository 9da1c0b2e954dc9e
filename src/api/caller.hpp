// Parameters by which an endpoint asks who calls. One that takes any of the first three is closed
// to whoever has no token for it; the pipeline sees to that before it reads the body.
#pragma once

#include "auth/audit.hpp"
#include "auth/caller.hpp"

#include <boost/asio/ip/address.hpp>

#include <optional>
#include <string>
#include <utility>

namespace parley::api {

// Anybody with a valid token, be it one that belongs to no user.
class TokenHolder {
public:
    explicit TokenHolder(auth::CallerRef caller) : caller_(std::move(caller)) {}
    const auth::Caller* operator->() const { return caller_.get(); }
    const auth::Caller& operator*() const { return *caller_; }
    const auth::CallerRef& ref() const { return caller_; }

private:
    auth::CallerRef caller_;
};

// A user, by whatever token.
class SignedIn : public TokenHolder {
public:
    using TokenHolder::TokenHolder;
};

// Only a token with this scope: With<auth::Scope::account>. It belongs to a user, unless the scope
// is admin, which the command line's own token has, too.
template <auth::Scope scope>
class With : public SignedIn {
public:
    using SignedIn::SignedIn;
};

// Where a request comes from: for the audit log, and for counting.
using auth::Origin;
struct ClientAddress {
    boost::asio::ip::address address;
};

// What a row of the route table asks of a caller's token.
struct Access {
    std::optional<auth::Scope> scope;  // Nothing: any will do.
    bool by_user = true;               // It must belong to a user.
};

}  // namespace parley::api
