// What a role may do: the most that any token of such a user is good for.
#pragma once

#include "auth/scope.hpp"
#include "domain/role.hpp"

namespace parley::auth {

constexpr Scopes scopes_of(Role role)
{
    Scopes scopes{Scope::chat_read, Scope::chat_write, Scope::account};
    if (role == Role::operator_) scopes.add(Scope::admin);
    return scopes;
}

// The most that a test token is good for.
inline constexpr Scopes test_scopes{Scope::chat_read, Scope::chat_write, Scope::account};

}  // namespace parley::auth
