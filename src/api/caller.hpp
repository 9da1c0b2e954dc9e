// Parameters by which an endpoint asks for its caller. An endpoint with any of the first three is
// closed to callers without a suitable token; the pipeline checks this before it reads the body.
#pragma once

#include "auth/audit.hpp"
#include "auth/caller.hpp"

#include <boost/asio/ip/address.hpp>

#include <optional>
#include <string>
#include <utility>

namespace parley::api {

// A caller with any valid token, including tokens without a user.
class TokenHolder {
public:
    explicit TokenHolder(auth::CallerRef caller) : caller_(std::move(caller)) {}
    const auth::Caller* operator->() const { return caller_.get(); }
    const auth::Caller& operator*() const { return *caller_; }
    const auth::CallerRef& ref() const { return caller_; }

private:
    auth::CallerRef caller_;
};

// A user, with any kind of token.
class SignedIn : public TokenHolder {
public:
    using TokenHolder::TokenHolder;
};

// Only a token with this scope: With<auth::Scope::account>. The token belongs to a user, unless the
// scope is admin: the token of the command line has that scope and no user.
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

// The requirements of a row of the route table for the caller's token.
struct Access {
    std::optional<auth::Scope> scope;  // Nothing: any scope.
    bool by_user = true;               // It must belong to a user.
};

}  // namespace parley::api
