// Requests and responses of /v1/api/auth.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/totp.hpp"
#include "api/wire/user.hpp"

#include <cstdint>

namespace parley::api {

struct LoginBody {
    std::string username;
    std::string password;
    std::optional<std::string> label;
    std::optional<std::string> code;

    static constexpr fields::SchemaInfo schema_info{"NewLogin", "A name and a password."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = LoginBody;
        return std::tuple(field("username", &This::username, "User name; case does not matter.",
                                name_length, example("ana")),
                          field("password", &This::password, "Password, up to 1,024 bytes.",
                                length(0, 1024), example("correct horse battery staple")),
                          field("label", &This::label, "Name of this login in the list of tokens.",
                                characters(0, 128), example("laptop")),
                          field("code", &This::code,
                                "Code of the authenticator app, or a recovery code; ignored if the "
                                "user has no second factor.",
                                second_factor_length, example("123456")));
    }
};

struct RefreshBody {
    std::string refresh_token;

    static constexpr fields::SchemaInfo schema_info{"Refresh", "The refresh token of a login."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("refresh_token", &RefreshBody::refresh_token,
                                "Refresh token from the login or the last refresh; valid once.",
                                length(1, 128),
                                example("plr_0123456789abcdefghijABCDEFGHIJ0123456789")));
    }
};

struct SetupBody {
    std::string setup_code;
    std::string username;
    std::string password;
    std::optional<std::string> display_name;

    static constexpr fields::SchemaInfo schema_info{"Setup", "The first operator."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = SetupBody;
        return std::tuple(
            field("setup_code", &This::setup_code, "Code from the set-up link of the first start.",
                  length(1, 128), example("Xk3vQ9bN7mZ1pL5wT8rY2cH6")),
            field("username", &This::username, "User name, 1 to 128 characters.", name_length,
                  example("ana")),
            field("password", &This::password,
                  "Password, 8 characters to 1,024 bytes. A password that is easy to guess is "
                  "refused.",
                  password_length, example("correct horse battery staple")),
            field("display_name", &This::display_name,
                  "Display name, up to 128 characters. Absent: the user name.", display_name_length,
                  example("Ana")));
    }
};

struct AcceptBody {
    std::string code;
    std::string password;

    static constexpr fields::SchemaInfo schema_info{"AcceptedInvitation",
                                                    "A password for an invited user."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = AcceptBody;
        return std::tuple(field("code", &This::code, "Code from the invitation link.",
                                length(1, 128), example("Xk3vQ9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
                          field("password", &This::password,
                                "Password, 8 characters to 1,024 bytes. A password that is easy to "
                                "guess is refused.",
                                password_length, example("correct horse battery staple")));
    }
};

struct LoginView {
    std::string object = "auth.login";
    std::string access_token;
    std::string token_type = "Bearer";
    std::int64_t expires_in = 0;
    std::string expires_at;
    std::string refresh_token;
    std::int64_t refresh_expires_in = 0;
    std::string scope;
    UserView user;

    static constexpr fields::SchemaInfo schema_info{"Login", "The tokens of a login and its user."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = LoginView;
        return std::tuple(
            field("object", &View::object, "Always `auth.login`.", one_of("auth.login")),
            field("access_token", &View::access_token,
                  "Access token, for the header field Authorization.",
                  example("pls_0123456789abcdefghijABCDEFGHIJ0123456789")),
            field("token_type", &View::token_type, "Always `Bearer`.", one_of("Bearer")),
            field("expires_in", &View::expires_in, "Lifetime of the access token in seconds.",
                  example(3600)),
            field("expires_at", &View::expires_at, "When the access token expires.",
                  example("2026-01-31T10:30:00.000Z"), moment),
            field("refresh_token", &View::refresh_token, "Refresh token, valid for one refresh.",
                  example("plr_0123456789abcdefghijABCDEFGHIJ0123456789")),
            field("refresh_expires_in", &View::refresh_expires_in,
                  "Lifetime of the refresh token in seconds.", example(2592000)),
            field("scope", &View::scope, "Scopes of the access token.",
                  example("chat:read chat:write account")),
            field("user", &View::user, "The user."));
    }
};

}  // namespace parley::api
