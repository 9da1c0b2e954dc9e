// Rows of users and tokens, shared by several use cases.
#pragma once

#include "store/page.hpp"
#include "store/sql/connection.hpp"
#include "store/tokens.hpp"

#include <algorithm>
#include <limits>

// Texts of SQL are put together from literals, which only the preprocessor can do.
#define USER_COLUMNS                                                                       \
    "users.id AS user_id, users.username, users.name_key, users.display_name, users.role," \
    " users.disabled, users.created_ms AS user_created_ms, users.last_login_ms,"           \
    " users.password_hash, users.chat_limit AS user_chat_limit,"                           \
    " users.general_limit AS user_general_limit,"                                          \
    " users.automation_limit AS user_automation_limit, users.invitation, "                 \
    "users.invitation_expires_ms, users.retention_days, users.reset_code,"                 \
    " users.reset_expires_ms, users.totp_secret, users.totp_pending, users.totp_step,"     \
    " users.totp_failures, users.totp_failed_ms, users.output_tokens_per_day"
#define TOKEN_COLUMNS                                                                        \
    "tokens.id AS token_id, tokens.hash, tokens.kind, tokens.user AS of_user, tokens.login," \
    " tokens.name, tokens.scopes, tokens.hint, tokens.created_by, tokens.created_ms,"        \
    " tokens.last_used_ms, tokens.expires_ms, tokens.chat_limit, tokens.general_limit,"      \
    " tokens.automation_limit, tokens.is_temporary"

namespace parley::store::sql {

// The row must have USER_COLUMNS, or TOKEN_COLUMNS.
User user_of(const Query& row);
Token token_of(const Query& row);
// The row must have USER_COLUMNS, and may have no user.
std::optional<User> joined_user_of(const Query& row);

// The number that stands for an owner in other tables: twice the user's position, and 1 more for
// test mode. Nothing if the user is gone.
std::optional<std::int64_t> owner_number(Connection& connection, const Owner& owner);

// The row of a user, as far as a question needs it.
struct Asker {
    std::int64_t number = 0;                  // That of the owner.
    std::optional<std::int64_t> budget = {};  // Output tokens of a day; none in test mode.
};
class AskerQuery {
public:
    // Asks. The owner must outlive this.
    AskerQuery(Connection& connection, const Owner& owner);
    // To be called once.
    std::optional<Asker> found();

private:
    const Owner& owner_;
    Query select_;
};

inline std::optional<Asker> find_asker(Connection& connection, const Owner& owner)
{
    return AskerQuery(connection, owner).found();
}

std::optional<User> find_user(Connection& connection, const std::string& id);

// By its id, of any kind.
std::optional<Token> find_token(Connection& connection, const std::string& id);

// False if the id or the hash already exists.
bool insert_token(Connection& connection, const Token& token);
bool insert_login(Connection& connection, const Login& login, TimePoint end);

// For an optional text that is stored as NULL if it is empty.
std::optional<std::string_view> null_if_empty(const std::string& text);

inline std::string_view bytes_of(const TokenHash& hash)
{
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

// For a LIMIT.
inline std::int64_t at_most(std::size_t number)
{
    return static_cast<std::int64_t>(
        std::min<std::size_t>(number, std::numeric_limits<std::int32_t>::max()));
}

// The position of an item, which each query of a page returns.
struct PageColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "page_position"};
};

// From a query without a limit, with a filter.
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
        last = rows[rows.columns<PageColumns>().position];
        page.items.push_back(std::move(item));
    }
    return page;
}

// From a query that returns one row more than the limit.
template <class Item, class ItemOf>
Page<Item, std::int64_t> page_of(Query& rows, std::size_t limit, ItemOf item_of)
{
    return page_of<Item>(rows, limit, item_of, [](const Item&) { return true; });
}

// The same for items that may be large, so that a page ends early: `bytes_of` returns the size of
// one.
template <class Item, class ItemOf, class BytesOf>
Page<Item, std::int64_t> roomy_page_of(Query& rows, std::size_t limit, ItemOf item_of,
                                       BytesOf bytes_of)
{
    Page<Item, std::int64_t> page;
    PageRoom room;
    std::int64_t last = 0;
    while (rows.next()) {
        const std::int64_t position = rows[rows.columns<PageColumns>().position];
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

}  // namespace parley::store::sql
