// Parameters by which an endpoint asks for its caller. An endpoint with any of them is closed to
// callers without a suitable token; the pipeline checks this before it reads the body. The body of
// a signed call is read first, since the signature covers it.
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

// A call to the hook that the path names, with the token of the hook.
class HookTokenHolder : public TokenHolder {
public:
    using TokenHolder::TokenHolder;
};

// The same with a signature instead of a token.
class HookSigner : public TokenHolder {
public:
    using TokenHolder::TokenHolder;
};

// The origin of a request: for the audit log, and for counting.
using auth::Origin;
struct ClientAddress {
    boost::asio::ip::address address;
};

// A caller is identified by a token, by the token of the hook in the path, or by a signature of the
// body that is made with the secret of this hook.
enum class Credential { token, hook_token, hook_signature };

// The requirements of a row of the route table for the caller's token.
struct Access {
    std::optional<auth::Scope> scope;  // Nothing: any scope.
    bool by_user = true;               // It must belong to a user.
    Credential credential = Credential::token;
};

}  // namespace parley::api
