#include "store/sql/people.hpp"

#include "fields/write.hpp"
#include "store/login_rules.hpp"

namespace parley::store::sql {
namespace {

struct UserColumns {
    const Statement* in;
    Column<std::string> id{*in, "user_id"};
    Column<std::string> username{*in, "username"};
    Column<std::string> name_key{*in, "name_key"};
    Column<std::string> display_name{*in, "display_name"};
    Column<Role> role{*in, "role"};
    Column<bool> disabled{*in, "disabled"};
    Column<TimePoint> created_at{*in, "user_created_ms"};
    Column<std::optional<TimePoint>> last_login_at{*in, "last_login_ms"};
    Column<std::string> password_hash{*in, "password_hash"};
    Column<std::optional<std::uint32_t>> chat_limit{*in, "user_chat_limit"};
    Column<std::optional<std::uint32_t>> general_limit{*in, "user_general_limit"};
    Column<std::optional<std::uint32_t>> automation_limit{*in, "user_automation_limit"};
    Column<std::optional<CodeHash>> invitation{*in, "invitation"};
    Column<TimePoint> invitation_expires_at{*in, "invitation_expires_ms"};
    Column<std::optional<std::int64_t>> retention_days{*in, "retention_days"};
    Column<std::optional<CodeHash>> reset_code{*in, "reset_code"};
    Column<TimePoint> reset_expires_at{*in, "reset_expires_ms"};
    Column<std::optional<std::string>> totp_secret{*in, "totp_secret"};
    Column<std::string> totp_pending{*in, "totp_pending"};
    Column<std::int64_t> totp_step{*in, "totp_step"};
    Column<std::int64_t> totp_failures{*in, "totp_failures"};
    Column<std::optional<TimePoint>> totp_failed_at{*in, "totp_failed_ms"};
    Column<std::optional<std::int64_t>> output_tokens_per_day{*in, "output_tokens_per_day"};
};

struct AskerColumns {
    const Statement* in;
    Column<std::int64_t> number{*in, "number"};
    Column<std::optional<std::int64_t>> budget{*in, "output_tokens_per_day"};
};

struct TokenColumns {
    const Statement* in;
    Column<std::string> id{*in, "token_id"};
    Column<TokenHash> hash{*in, "hash"};
    Column<std::string_view> kind{*in, "kind"};
    Column<std::string> user{*in, "of_user"};
    Column<std::string> login{*in, "login"};
    Column<std::string> name{*in, "name"};
    Column<std::uint8_t> scopes{*in, "scopes"};
    Column<std::string> hint{*in, "hint"};
    Column<std::string> created_by{*in, "created_by"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<std::optional<TimePoint>> last_used_at{*in, "last_used_ms"};
    Column<std::optional<TimePoint>> expires_at{*in, "expires_ms"};
    Column<std::optional<std::uint32_t>> chat_limit{*in, "chat_limit"};
    Column<std::optional<std::uint32_t>> general_limit{*in, "general_limit"};
    Column<std::optional<std::uint32_t>> automation_limit{*in, "automation_limit"};
    Column<bool> is_temporary{*in, "is_temporary"};
};

bool insert(Connection& connection, const Token& token, const std::optional<TokenHash>& hash,
            std::string_view kind, const std::optional<TimePoint>& end)
{
    Query insert = connection.query(
        "INSERT INTO tokens (id, hash, kind, \"user\", login, name, scopes, hint, created_by,"
        " created_ms, last_used_ms, expires_ms, ends_ms, chat_limit, general_limit,"
        " automation_limit, is_temporary)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
        " ON CONFLICT DO NOTHING");
    insert.bind(token.id, hash, kind, null_if_empty(token.user), null_if_empty(token.login),
                token.name, token.scopes, token.hint, token.created_by, token.created_at,
                token.last_used_at, token.expires_at, end, token.limits.chat, token.limits.general,
                token.limits.automation, token.is_temporary);
    return insert.run() > 0;
}

}  // namespace

User user_of(const Query& row)
{
    const auto& at = row.columns<UserColumns>();
    User user{.id = row[at.id],
              .username = row[at.username],
              .name_key = row[at.name_key],
              .display_name = row[at.display_name],
              .role = row[at.role],
              .disabled = row[at.disabled],
              .created_at = row[at.created_at],
              .last_login_at = row[at.last_login_at],
              .password_hash = row[at.password_hash],
              .limits = {row[at.chat_limit], row[at.general_limit], row[at.automation_limit]}};
    if (const auto code = row[at.invitation])
        user.invitation = {.code = *code, .expires_at = row[at.invitation_expires_at]};
    user.retention_days = row[at.retention_days];
    if (const auto code = row[at.reset_code])
        user.reset_link = {.code = *code, .expires_at = row[at.reset_expires_at]};
    if (auto secret = row[at.totp_secret])
        user.totp = {.secret = std::move(*secret),
                     .last_step = row[at.totp_step],
                     .failures = row[at.totp_failures],
                     .failed_at = row[at.totp_failed_at]};
    user.totp_pending = row[at.totp_pending];
    user.output_tokens_per_day = row[at.output_tokens_per_day];
    return user;
}

std::optional<User> joined_user_of(const Query& row)
{
    if (row[row.columns<UserColumns>().id].empty()) return std::nullopt;
    return user_of(row);
}

Token token_of(const Query& row)
{
    const auto& at = row.columns<TokenColumns>();
    const std::string_view kind = row[at.kind];
    return {.id = row[at.id],
            .hash = row[at.hash],
            .kind = kind == "login" ? 's' : kind.front(),
            .user = row[at.user],
            .login = row[at.login],
            .name = row[at.name],
            .scopes = row[at.scopes],
            .hint = row[at.hint],
            .created_by = row[at.created_by],
            .created_at = row[at.created_at],
            .last_used_at = row[at.last_used_at],
            .expires_at = row[at.expires_at],
            .limits = {row[at.chat_limit], row[at.general_limit], row[at.automation_limit]},
            .is_temporary = row[at.is_temporary]};
}

std::optional<std::int64_t> owner_number(Connection& connection, const Owner& owner)
{
    Query select = connection.query("SELECT 2 * position + ?2 FROM users WHERE id = ?1");
    if (!select.bind(owner.user, owner.test).next()) return std::nullopt;
    return select.only<std::int64_t>();
}

AskerQuery::AskerQuery(Connection& connection, const Owner& owner)
    : owner_(owner),
      select_(connection.query(
          "SELECT 2 * position + ?2 AS number, output_tokens_per_day FROM users WHERE id = ?1"))
{
    select_.bind(owner_.user, owner_.test).ask();
}

std::optional<Asker> AskerQuery::found()
{
    if (!select_.next()) return std::nullopt;
    const auto& at = select_.columns<AskerColumns>();
    Asker asker{.number = select_[at.number]};
    if (!owner_.test) asker.budget = select_[at.budget];
    return asker;
}

std::optional<User> find_user(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT " USER_COLUMNS " FROM users WHERE id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return user_of(select);
}

std::optional<Token> find_token(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT " TOKEN_COLUMNS " FROM tokens WHERE id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return token_of(select);
}

bool insert_token(Connection& connection, const Token& token)
{
    return insert(connection, token, token.hash, {&token.kind, 1}, token.expires_at);
}

bool insert_login(Connection& connection, const Login& login, TimePoint end)
{
    return insert(connection, as_token(login), std::nullopt, "login", end);
}

std::optional<std::string_view> null_if_empty(const std::string& text)
{
    if (text.empty()) return std::nullopt;
    return text;
}

}  // namespace parley::store::sql
