// Requests and responses of /v1/api/users, /v1/api/me and in a login.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/list.hpp"
#include "api/wire/own_limits.hpp"
#include "base/error.hpp"
#include "domain/role.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>

namespace parley::api {

// Upper bounds; the exact rules are in auth/names.hpp and auth/password_strength.hpp.
inline constexpr auto name_length = fields::length(1, 512);
inline constexpr auto display_name_length = fields::length(1, 512);
inline constexpr auto password_length = fields::length(8, 1024);

struct InvitationView {
    std::string url;
    std::string expires_at;

    static constexpr fields::SchemaInfo schema_info{"Invitation",
                                                    "A one-time link to set a password."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = InvitationView;
        return std::tuple(
            field("url", &View::url,
                  "The link: absolute if the server knows its public address, else a path.",
                  example("https://chat.example.org/#invite=Xk3vQ9bN7mZ1pL5wT8rY2cH6Xk3vQ9bN")),
            field("expires_at", &View::expires_at, "When the link expires.",
                  example("2026-02-07T09:30:00.000Z"), moment));
    }
};

struct BudgetView {
    std::optional<std::int64_t> output_tokens_per_day = {};

    static constexpr fields::SchemaInfo schema_info{"Budget", "The daily limit of a user."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("output_tokens_per_day", &BudgetView::output_tokens_per_day,
                                "Output tokens of all models in a day (UTC). Null: no limit.",
                                example(100'000)));
    }
};

struct BudgetPatch {
    fields::Nullable<std::int64_t> output_tokens_per_day = {};

    static constexpr fields::SchemaInfo schema_info{
        "BudgetChange", "The budget to set; null clears it, absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("output_tokens_per_day", &BudgetPatch::output_tokens_per_day,
                                "Output tokens of all models in a day (UTC).",
                                range(1, 1'000'000'000'000.0), example(100'000)));
    }
};

struct UserView {
    std::string object = "user";
    std::string id;
    std::string username;
    std::string display_name;
    Role role = Role::member;
    bool disabled = false;
    std::string created_at;
    std::optional<std::string> last_login_at;
    OwnLimitsView limits = {};
    BudgetView budget = {};
    std::optional<std::int64_t> retention_days = {};
    bool second_factor = false;
    std::optional<InvitationView> invitation = {};

    static constexpr fields::SchemaInfo schema_info{"User", "A user."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = UserView;
        return std::tuple(
            field("object", &View::object, "Always `user`.", one_of("user")),
            field("id", &View::id, "The user's id.", example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"),
                  id_of_user),
            field("username", &View::username, "The name for logging in.", example("ana")),
            field("display_name", &View::display_name, "The display name.", example("Ana")),
            field("role", &View::role, "An operator manages users and the server."),
            field("disabled", &View::disabled, "Whether the user is disabled."),
            field("created_at", &View::created_at, "When the user was created.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("last_login_at", &View::last_login_at, "Last login. Null before the first one.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("limits", &View::limits, "The user's own limits."),
            field("budget", &View::budget, "The user's budget, which an operator sets."),
            field("retention_days", &View::retention_days,
                  "Days after which sessions without activity are deleted. Null: never, unless the "
                  "operator has set a limit."),
            field("second_factor", &View::second_factor,
                  "Whether logging in needs a code of an authenticator app."),
            field("invitation", &View::invitation,
                  "The invitation link; only in the response that creates it.", omit_if_absent));
    }
};

struct NewUserBody {
    std::string username;
    std::optional<std::string> password;
    std::optional<std::string> display_name;
    Role role = Role::member;

    static constexpr fields::SchemaInfo schema_info{"NewUser", "A new user."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = NewUserBody;
        return std::tuple(
            field("username", &This::username,
                  "User name, 1 to 128 characters; an e-mail address is allowed. Case does not "
                  "matter.",
                  name_length, example("ana")),
            field("password", &This::password,
                  "Password, 8 characters to 1,024 bytes. A password that is easy to guess is "
                  "refused. "
                  "Absent: the user is invited to set one.",
                  password_length, example("correct horse battery staple")),
            field("display_name", &This::display_name,
                  "Display name, up to 128 characters. Absent: the user name.", display_name_length,
                  example("Ana")),
            field("role", &This::role, "The user's role.", defaults_to(Role::member)));
    }
};

struct UserChangeBody {
    std::optional<std::string> display_name;
    std::optional<Role> role;
    std::optional<bool> disabled;
    std::optional<std::string> password;
    std::optional<bool> keep_tokens;
    std::optional<OwnLimitsPatch> limits;
    std::optional<BudgetPatch> budget;

    static constexpr fields::SchemaInfo schema_info{
        "UserChange", "Changes to a user; absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = UserChangeBody;
        return std::tuple(
            field("display_name", &This::display_name, "Display name, up to 128 characters.",
                  display_name_length, example("Ana")),
            field("role", &This::role, "The user's role."),
            field("disabled", &This::disabled,
                  "True disables the user at once and ends their logins."),
            field("password", &This::password,
                  "New password; ends all logins and tokens of the user.", password_length,
                  example("correct horse battery staple")),
            field("keep_tokens", &This::keep_tokens,
                  "Only with `password`: keeps personal and test tokens.", example(false)),
            field("limits", &This::limits, "The user's own limits; null: the server's."),
            field("budget", &This::budget, "The user's budget."));
    }

    void check(Faults& faults) const
    {
        if (keep_tokens && !password)
            faults.push_back(
                {"#/keep_tokens", "not_allowed", "is only allowed together with password"});
    }
};

// Null for retention_days: sessions are kept.
struct OwnChangeBody {
    std::optional<std::string> display_name;
    fields::Nullable<std::int64_t> retention_days;

    static constexpr fields::SchemaInfo schema_info{
        "OwnChange", "Changes to your own user; absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = OwnChangeBody;
        return std::tuple(
            field("display_name", &This::display_name, "Display name, up to 128 characters.",
                  display_name_length, example("Ana")),
            field("retention_days", &This::retention_days,
                  "Days after which sessions without activity are deleted, unless their `keep` is "
                  "true. Null: never. The operator may set a limit (`retention.max_days`).",
                  range(1, 3650)));
    }
};

struct NewPasswordBody {
    std::string current_password;
    std::string new_password;

    static constexpr fields::SchemaInfo schema_info{"NewPassword",
                                                    "The new and the current password."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = NewPasswordBody;
        return std::tuple(
            field("current_password", &This::current_password, "The current password.",
                  length(0, 1024), example("tr0ub4dor&3 tr0ub4dor&3")),
            field("new_password", &This::new_password,
                  "New password, 8 characters to 1,024 bytes. A password that is easy to guess is "
                  "refused.",
                  password_length, example("correct horse battery staple")));
    }
};

struct UsersQuery {
    std::int64_t limit = 20;
    std::optional<std::string> after;
    std::optional<std::string> q;

    static constexpr auto fields()
    {
        using namespace fields;
        using This = UsersQuery;
        return std::tuple(
            page_limit(&This::limit), page_after(&This::after),
            field("q", &This::q, "Part of a user name or display name, ignoring case.",
                  length(1, 512), example("ana")));
    }
};

struct UserPath {
    std::string user;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("user", &UserPath::user, "The user's id."));
    }
};

}  // namespace parley::api
