// Requests and responses of links to reset a password.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/totp.hpp"
#include "api/wire/user.hpp"

namespace parley::api {

struct ResetLinkView {
    std::string object = "reset_link";
    std::string user_id;
    std::string url;
    std::string expires_at;

    static constexpr fields::SchemaInfo schema_info{"ResetLink",
                                                    "A one-time link to set a new password."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = ResetLinkView;
        return std::tuple(
            field("object", &View::object, "Always `reset_link`.", one_of("reset_link")),
            field("user_id", &View::user_id, "The user whose password it sets.",
                  example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"), id_of_user),
            field("url", &View::url,
                  "The link: absolute if the server knows its public address, else a path.",
                  example("https://chat.example.org/#reset=Xk3vQ9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("expires_at", &View::expires_at, "When the link expires.",
                  example("2026-02-01T09:30:00.000Z"), moment));
    }
};

struct ResetBody {
    std::string reset_code;
    std::string password;
    std::optional<std::string> code;

    static constexpr fields::SchemaInfo schema_info{"PasswordReset",
                                                    "A new password, with the code of a link."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = ResetBody;
        return std::tuple(
            field("reset_code", &This::reset_code, "Code from the reset link.", length(1, 128),
                  example("Xk3vQ9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("password", &This::password,
                  "New password, 8 characters to 1,024 bytes. A password that is easy to guess is "
                  "refused.",
                  password_length, example("correct horse battery staple")),
            field("code", &This::code,
                  "Code of the authenticator app, or a recovery code, if the user has a second "
                  "factor.",
                  second_factor_length, example("123456")));
    }
};

}  // namespace parley::api
