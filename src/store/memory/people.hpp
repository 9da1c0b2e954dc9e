// Users, and the tokens and logins that are theirs, as a store in memory holds them: tables in the
// order of storing, with an index for each way in which something is looked up.
//
// Threads: whoever uses one holds its mutex, for the whole of a use case.
#pragma once

#include "store/tokens.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>

namespace parley::store {

// A row of the list of tokens: a token, or a login in the shape of one.
struct KeptToken {
    Token token;
    bool is_login = false;
    std::optional<TimePoint> ends_at = {};        // From then on it can be forgotten.
    std::optional<TimePoint> first_used_at = {};  // Of a refresh token.
};

class People {
public:
    using Position = std::int64_t;

    std::mutex mutex;

    // False where the id or the name is there already.
    bool add(User user);
    User* find_user(const std::string& id);
    User* find_user_by_name(const std::string& name_key);
    bool has_operator() const;
    const std::map<Position, User>& users() const { return users_; }
    // With all that is theirs.
    void remove_user(const std::string& id);

    // False where the id or the hash is there already.
    bool add(KeptToken token);
    KeptToken* find_token(const TokenHash& hash);
    KeptToken* find_token(const std::string& id);
    KeptToken* find_login(const std::string& id);
    const std::map<Position, KeptToken>& tokens() const { return tokens_; }
    // A login goes with all its tokens. Gives how many rows went.
    std::size_t remove_tokens(const std::function<bool(const KeptToken&)>& which,
                              std::size_t most = SIZE_MAX);

private:
    Position last_position_ = 0;
    std::map<Position, User> users_;
    std::unordered_map<std::string, Position> users_by_id_;
    std::unordered_map<std::string, Position> users_by_name_;
    std::map<Position, KeptToken> tokens_;
    std::unordered_map<std::string, Position> tokens_by_id_;
    std::map<TokenHash, Position> tokens_by_hash_;
};

// The rows before a position, newest first, that `is_wanted` wants, each as `item_of` makes it.
template <class Item, class Row, class IsWanted, class ItemOf>
Page<Item, std::int64_t> page_of(const std::map<std::int64_t, Row>& rows,
                                 std::optional<std::int64_t> before, std::size_t limit,
                                 IsWanted is_wanted, ItemOf item_of)
{
    Page<Item, std::int64_t> page;
    std::int64_t last = 0;
    for (auto row = before ? rows.lower_bound(*before) : rows.end(); row != rows.begin();) {
        --row;
        if (!is_wanted(row->second)) continue;
        if (page.items.size() == limit) {
            page.next = last;
            break;
        }
        last = row->first;
        page.items.push_back(item_of(row->second));
    }
    return page;
}

}  // namespace parley::store
