// A login as the API shows it, with its tokens.
#pragma once

#include "api/user_view.hpp"
#include "api/wire/login.hpp"
#include "auth/logins.hpp"

namespace parley::api {

inline LoginView login_view(const auth::LoggedIn& login)
{
    return {.access_token = std::string(login.access.reveal()),
            .expires_in = login.access_lives.count(),
            .expires_at = rfc3339(login.access_expires_at),
            .refresh_token = std::string(login.refresh.reveal()),
            .refresh_expires_in = login.refresh_lives.count(),
            .scope = login.scopes.text(),
            .user = user_view(login.user)};
}

}  // namespace parley::api
