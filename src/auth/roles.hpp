// The scopes of a role: no token of such a user has more.
#pragma once

#include "auth/scope.hpp"
#include "domain/role.hpp"

namespace parley::auth {

constexpr Scopes scopes_of(Role role)
{
    Scopes scopes{Scope::chat_read, Scope::chat_write, Scope::account, Scope::automation_read,
                  Scope::automation_write};
    if (role == Role::operator_) scopes.add(Scope::admin);
    return scopes;
}

// No test token has more scopes than these.
inline constexpr Scopes test_scopes{Scope::chat_read, Scope::chat_write, Scope::account,
                                    Scope::automation_read, Scope::automation_write};

}  // namespace parley::auth
