// What travels over /v1/api/users, /v1/api/me and in a login.
#pragma once

#include "api/wire/forms.hpp"
#include "base/field.hpp"
#include "base/field_notes.hpp"
#include "domain/role.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

// Long enough for whatever the rules then judge: auth/names.hpp, auth/password_strength.hpp.
inline constexpr auto name_length = wire::length(1, 512);
inline constexpr auto display_name_length = wire::length(1, 512);
inline constexpr auto password_length = wire::length(8, 1024);

struct UserView {
    std::string object = "user";
    std::string id;
    std::string username;
    std::string display_name;
    Role role = Role::member;
    bool disabled = false;
    std::string created_at;
    std::optional<std::string> last_login_at;

    static constexpr wire::Noun noun{"User", "Somebody who can log in."};
    static constexpr auto fields()
    {
        using namespace wire;
        using View = UserView;
        return std::tuple(
            field("object", &View::object, "Always `user`.", one_of("user")),
            field("id", &View::id, "The user's id.", example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"),
                  id_of_user),
            field("username", &View::username, "By which they log in.", example("ana")),
            field("display_name", &View::display_name, "By which others know them.",
                  example("Ana")),
            field("role", &View::role, "An operator looks after users and the server."),
            field("disabled", &View::disabled, "Whether they are locked out."),
            field("created_at", &View::created_at, "When the user was made.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("last_login_at", &View::last_login_at, "Null before the first login.",
                  example("2026-01-31T09:30:00.000Z"), moment));
    }
};

struct NewUserBody {
    std::string username;
    std::string password;
    std::optional<std::string> display_name;
    Role role = Role::member;

    static constexpr wire::Noun noun{"NewUser", "A user to be made."};
    static constexpr auto fields()
    {
        using namespace wire;
        using This = NewUserBody;
        return std::tuple(
            field("username", &This::username,
                  "1 to 128 characters; an e-mail address will do. Compared without case.",
                  name_length, example("ana")),
            field("password", &This::password,
                  "8 to 1,024 bytes; one that is easy to guess is refused.", password_length,
                  example("correct horse battery staple")),
            field("display_name", &This::display_name, "Up to 128 characters; else the user name.",
                  display_name_length, example("Ana")),
            field("role", &This::role, "What the user may do.", defaults_to(Role::member)));
    }
};

struct UserChangeBody {
    std::optional<std::string> display_name;
    std::optional<Role> role;
    std::optional<bool> disabled;
    std::optional<std::string> password;

    static constexpr wire::Noun noun{"UserChange",
                                     "What is to be changed of a user; what is absent stays."};
    static constexpr auto fields()
    {
        using namespace wire;
        using This = UserChangeBody;
        return std::tuple(field("display_name", &This::display_name, "Up to 128 characters.",
                                display_name_length, example("Ana")),
                          field("role", &This::role, "What the user may do."),
                          field("disabled", &This::disabled, "True locks the user out at once."),
                          field("password", &This::password, "Ends all logins of the user.",
                                password_length, example("correct horse battery staple")));
    }
};

struct OwnChangeBody {
    std::string display_name;

    static constexpr wire::Noun noun{"OwnChange", "What is to be changed of yourself."};
    static constexpr auto fields()
    {
        using namespace wire;
        return std::tuple(field("display_name", &OwnChangeBody::display_name,
                                "Up to 128 characters.", display_name_length, example("Ana")));
    }
};

struct NewPasswordBody {
    std::string current_password;
    std::string new_password;

    static constexpr wire::Noun noun{"NewPassword", "A new password, and the old one."};
    static constexpr auto fields()
    {
        using namespace wire;
        using This = NewPasswordBody;
        return std::tuple(
            field("current_password", &This::current_password, "The one that is to be replaced.",
                  length(0, 1024), example("tr0ub4dor&3 tr0ub4dor&3")),
            field("new_password", &This::new_password,
                  "8 to 1,024 bytes; one that is easy to guess is refused.", password_length,
                  example("correct horse battery staple")));
    }
};

struct UserPath {
    std::string user;

    static constexpr auto fields()
    {
        return std::tuple(wire::field("user", &UserPath::user, "The user's id."));
    }
};

}  // namespace parley::api
