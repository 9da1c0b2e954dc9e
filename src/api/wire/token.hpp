// Requests and responses of /v1/api/tokens.
#pragma once

#include "api/wire/forms.hpp"
#include "api/wire/own_limits.hpp"
#include "base/clock.hpp"
#include "fields/fields.hpp"
#include "fields/notes.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct TokenView {
    std::string object = "api_token";
    std::string id;
    std::string name;
    std::string kind;
    std::vector<std::string> scopes = {};
    std::string hint;
    std::string created_at;
    std::string created_by;
    std::optional<std::string> last_used_at = {};
    std::optional<std::string> expires_at = {};
    OwnLimitsView limits = {};
    std::optional<std::string> token = {};

    static constexpr fields::SchemaInfo schema_info{
        "ApiToken", "A token or a login. Its secret is shown only when it is created."};
    static constexpr auto fields()
    {
        using namespace fields;
        using View = TokenView;
        return std::tuple(
            field("object", &View::object, "Always `api_token`.", one_of("api_token")),
            field("id", &View::id, "The token's id.", example("tok_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"),
                  id_of_token),
            field("name", &View::name, "Name of the token, or label of the login.",
                  example("backup job")),
            field("kind", &View::kind, "The kind of token.",
                  one_of("personal", "login", "test", "client")),
            field("scopes", &View::scopes, "Its scopes.",
                  each(one_of("auth:login", "chat:read", "chat:write", "account", "admin",
                              "automation:read", "automation:write"))),
            field("hint", &View::hint, "First and last characters of the token, to recognise it.",
                  example("plp_…a1B2")),
            field("created_at", &View::created_at, "When it was created.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("created_by", &View::created_by, "The user who created it.",
                  example("usr_0PRkT5Kq3w9ZbXcVnM4aYdTe8u")),
            field("last_used_at", &View::last_used_at,
                  "Last use, to the minute. Null before the first use.",
                  example("2026-01-31T09:30:00.000Z"), moment),
            field("expires_at", &View::expires_at, "When it expires. Null: never.",
                  example("2027-01-31T09:30:00.000Z"), moment),
            field("limits", &View::limits, "Limits of this token, at most its user's."),
            field("token", &View::token, "The token itself, shown only once.", omit_if_absent,
                  example("plp_0123456789abcdefghijABCDEFGHIJ0123456789")));
    }
};

struct NewTokenBody {
    std::string name;
    std::optional<std::vector<std::string>> scopes;
    fields::Nullable<std::string> expires_at;
    std::optional<bool> test;
    std::optional<OwnLimitsPatch> limits;
    std::optional<bool> temporary;

    static constexpr fields::SchemaInfo schema_info{"NewApiToken", "A new token."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = NewTokenBody;
        return std::tuple(
            field("name", &This::name, "Name of the token.", characters(1, 128),
                  example("backup job")),
            field("scopes", &This::scopes, "Scopes; by default `chat:read` and `chat:write`.",
                  length(1, 7),
                  each(one_of("chat:read", "chat:write", "account", "admin", "automation:read",
                              "automation:write"))),
            field("expires_at", &This::expires_at,
                  "When it expires (RFC 3339). Null or absent: never. A token created with a "
                  "personal token that "
                  "expires cannot expire later; if absent, it expires at the same time.",
                  length(1, 64), example("2027-01-31T09:30:00.000Z"), moment),
            field("test", &This::test,
                  "A test token: the scripted model answers its sessions. Absent: the same as the "
                  "token that creates it; a test token can only create test tokens.",
                  example(false)),
            field("limits", &This::limits, "Limits of this token, at most its user's."),
            field("temporary", &This::temporary,
                  "For commands on the server's machine only, which revoke it when they end: the "
                  "event log does not contain it.",
                  example(false)));
    }

    void check(Faults& faults, TimePoint now) const;
};

struct TokenChangeBody {
    std::optional<std::string> name;
    std::optional<OwnLimitsPatch> limits;

    static constexpr fields::SchemaInfo schema_info{
        "ApiTokenChange", "Changes to a token; absent fields do not change."};
    static constexpr auto fields()
    {
        using namespace fields;
        using This = TokenChangeBody;
        return std::tuple(
            field("name", &This::name, "Name of the token, or label of the login.",
                  characters(1, 128), example("backup job")),
            field("limits", &This::limits,
                  "Limits of this token, at most its user's. Logins have no limits of their own."));
    }
};

struct NewClientTokenBody {
    std::string name;

    static constexpr fields::SchemaInfo schema_info{"NewClientToken", "A new client token."};
    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(field("name", &NewClientTokenBody::name, "The program that uses it.",
                                characters(1, 128), example("mobile app")));
    }
};

struct UserTokenPath {
    std::string user;
    std::string token;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("user", &UserTokenPath::user, "The user's id."),
                          fields::field("token", &UserTokenPath::token, "The token's id."));
    }
};

struct TokenPath {
    std::string token;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("token", &TokenPath::token, "The token's id."));
    }
};

}  // namespace parley::api
