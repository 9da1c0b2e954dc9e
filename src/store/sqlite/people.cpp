#include "store/sqlite/people.hpp"

#include "base/field_write.hpp"
#include "store/login_rules.hpp"
#include "store/sqlite/time.hpp"

#include <algorithm>

namespace parley::store::sqlite {
namespace {

std::optional<std::uint32_t> limit_of(const Query& row, int column)
{
    if (row.is_null(column)) return std::nullopt;
    return static_cast<std::uint32_t>(row.integer(column));
}

std::optional<Invitation> invitation_of(const Query& row, int column)
{
    if (row.is_null(column)) return std::nullopt;
    Invitation invitation{.expires_at = from_ms(row.integer(column + 1))};
    const std::string_view bytes = row.bytes(column);
    std::copy_n(bytes.begin(), std::min(bytes.size(), invitation.code.size()),
                invitation.code.begin());
    return invitation;
}

bool insert(Database& database, const Token& token, std::optional<Blob> hash, std::string_view kind,
            std::optional<std::int64_t> ends_ms)
{
    Query insert = database.query(
        "INSERT INTO tokens (id, hash, kind, user, login, name, scopes, hint, created_by,"
        " created_ms, last_used_ms, expires_ms, ends_ms, chat_limit, general_limit)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)");
    insert.bind(token.id, hash, kind, null_if_empty(token.user), null_if_empty(token.login),
                token.name, token.scopes, token.hint, token.created_by, to_ms(token.created_at),
                to_ms(token.last_used_at), to_ms(token.expires_at), ends_ms,
                to_column(token.limits.chat), to_column(token.limits.general));
    return insert.run();
}

}  // namespace

User user_of(const Query& row, int first)
{
    return {.id = row.text(first + 1),
            .username = row.text(first + 2),
            .name_key = row.text(first + 3),
            .display_name = row.text(first + 4),
            .role = row.bytes(first + 5) == wire::name_of(Role::operator_) ? Role::operator_
                                                                           : Role::member,
            .disabled = row.integer(first + 6) != 0,
            .created_at = from_ms(row.integer(first + 7)),
            .last_login_at = time_of(row, first + 8),
            .password_hash = row.text(first + 9),
            .limits = {limit_of(row, first + 10), limit_of(row, first + 11)},
            .invitation = invitation_of(row, first + 12)};
}

Token token_of(const Query& row, int first)
{
    TokenHash hash{};
    const std::string_view bytes = row.bytes(first + 2);
    std::copy_n(bytes.begin(), std::min(bytes.size(), hash.size()), hash.begin());
    const std::string_view kind = row.bytes(first + 3);
    return {.id = row.text(first + 1),
            .hash = hash,
            .kind = kind == "login" ? 's' : kind.front(),
            .user = row.text(first + 4),
            .login = row.text(first + 5),
            .name = row.text(first + 6),
            .scopes = static_cast<std::uint8_t>(row.integer(first + 7)),
            .hint = row.text(first + 8),
            .created_by = row.text(first + 9),
            .created_at = from_ms(row.integer(first + 10)),
            .last_used_at = time_of(row, first + 11),
            .expires_at = time_of(row, first + 12),
            .limits = {limit_of(row, first + 13), limit_of(row, first + 14)}};
}

std::optional<TimePoint> time_of(const Query& row, int column)
{
    if (row.is_null(column)) return std::nullopt;
    return from_ms(row.integer(column));
}

std::optional<User> find_user(Database& database, const std::string& id)
{
    Query select = database.query("SELECT " USER_COLUMNS " FROM users WHERE id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return user_of(select);
}

std::optional<Token> find_token(Database& database, const std::string& id)
{
    Query select = database.query("SELECT " TOKEN_COLUMNS " FROM tokens WHERE id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return token_of(select);
}

bool insert_token(Database& database, const Token& token)
{
    return insert(database, token, blob_of(token.hash), {&token.kind, 1}, to_ms(token.expires_at));
}

bool insert_login(Database& database, const Login& login, TimePoint end)
{
    return insert(database, as_token(login), std::nullopt, "login", to_ms(end));
}

std::optional<std::string_view> null_if_empty(const std::string& text)
{
    if (text.empty()) return std::nullopt;
    return text;
}

std::optional<std::int64_t> to_column(const std::optional<std::uint32_t>& limit)
{
    if (!limit) return std::nullopt;
    return *limit;
}

std::optional<std::int64_t> to_ms(const std::optional<TimePoint>& time)
{
    if (!time) return std::nullopt;
    return to_ms(*time);
}

}  // namespace parley::store::sqlite
