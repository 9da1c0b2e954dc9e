// A user as clients see them.
#pragma once

#include "api/own_limits.hpp"
#include "api/wire/user.hpp"
#include "base/clock.hpp"
#include "store/accounts.hpp"

namespace parley::api {

inline UserView user_view(const store::User& user)
{
    UserView shown{.id = user.id,
                   .username = user.username,
                   .display_name = user.display_name,
                   .role = user.role,
                   .disabled = user.disabled,
                   .created_at = rfc3339(user.created_at),
                   .last_login_at = std::nullopt,
                   .limits = view_of(user.limits),
                   .budget = {user.output_tokens_per_day},
                   .retention_days = user.retention_days,
                   .second_factor = user.totp.has_value()};
    if (user.last_login_at) shown.last_login_at = rfc3339(*user.last_login_at);
    return shown;
}

}  // namespace parley::api
