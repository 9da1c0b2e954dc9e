// Rows of users and tokens, as several use cases read and write them.
#pragma once

#include "store/page.hpp"
#include "store/sqlite/database.hpp"
#include "store/tokens.hpp"

#include <algorithm>
#include <limits>

// Texts of SQL are put together from literals, which only the preprocessor can do.
#define USER_COLUMNS                                                                           \
    "users.position, users.id, users.username, users.name_key, users.display_name,"            \
    " users.role, users.disabled, users.created_ms, users.last_login_ms, users.password_hash," \
    " users.chat_limit, users.general_limit, users.invitation, users.invitation_expires_ms"
#define TOKEN_COLUMNS                                                                  \
    "tokens.position, tokens.id, tokens.hash, tokens.kind, tokens.user, tokens.login," \
    " tokens.name, tokens.scopes, tokens.hint, tokens.created_by, tokens.created_ms,"  \
    " tokens.last_used_ms, tokens.expires_ms, tokens.chat_limit, tokens.general_limit"

namespace parley::store::sqlite {

inline constexpr int user_width = 14;
inline constexpr int token_width = 15;

// Of a row in which USER_COLUMNS, or TOKEN_COLUMNS, begin at `first`.
User user_of(const Query& row, int first = 0);
Token token_of(const Query& row, int first = 0);

std::optional<TimePoint> time_of(const Query& row, int column);

std::optional<User> find_user(Database& database, const std::string& id);

// By its id, of whatever kind.
std::optional<Token> find_token(Database& database, const std::string& id);

// False where the id or the hash is there already.
bool insert_token(Database& database, const Token& token);
bool insert_login(Database& database, const Login& login, TimePoint end);

// Where an optional text is kept as NULL and travels as an empty one.
std::optional<std::string_view> null_if_empty(const std::string& text);

std::optional<std::int64_t> to_ms(const std::optional<TimePoint>& time);

inline Blob blob_of(const TokenHash& hash)
{
    return {{reinterpret_cast<const char*>(hash.data()), hash.size()}};
}

// For a column of OwnLimits.
std::optional<std::int64_t> to_column(const std::optional<std::uint32_t>& limit);

// How many rows the last statement changed, not counting those that went with them.
inline std::size_t rows_changed(const Database& database)
{
    return static_cast<std::size_t>(sqlite3_changes64(database.handle()));
}

// For a LIMIT.
inline std::int64_t at_most(std::size_t number)
{
    return static_cast<std::int64_t>(
        std::min<std::size_t>(number, std::numeric_limits<std::int32_t>::max()));
}

// Of a query without a limit, positions in its first column, of which only some items are wanted.
template <class Item, class ItemOf, class IsWanted>
Page<Item, std::int64_t> page_of(Query& rows, std::size_t limit, ItemOf item_of, IsWanted is_wanted)
{
    Page<Item, std::int64_t> page;
    std::int64_t last = 0;
    while (rows.next()) {
        Item item = item_of(rows);
        if (!is_wanted(item)) continue;
        if (page.items.size() == limit) {
            page.next = last;
            break;
        }
        last = rows.integer(0);
        page.items.push_back(std::move(item));
    }
    return page;
}

// Of a query that was asked for one row more than the limit, positions in its first column.
template <class Item, class ItemOf>
Page<Item, std::int64_t> page_of(Query& rows, std::size_t limit, ItemOf item_of)
{
    return page_of<Item>(rows, limit, item_of, [](const Item&) { return true; });
}

// The same where items may be large, and a page ends early then: `bytes_of` tells what one takes.
template <class Item, class ItemOf, class BytesOf>
Page<Item, std::int64_t> roomy_page_of(Query& rows, std::size_t limit, ItemOf item_of,
                                       BytesOf bytes_of)
{
    Page<Item, std::int64_t> page;
    PageRoom room;
    std::int64_t last = 0;
    while (rows.next()) {
        const std::int64_t position = rows.integer(0);
        std::optional<Item> item;
        if (page.items.size() < limit) item = item_of(rows);
        if (!item || !room.takes(bytes_of(*item))) {
            page.next = last;
            break;
        }
        last = position;
        page.items.push_back(std::move(*item));
    }
    return page;
}

}  // namespace parley::store::sqlite
