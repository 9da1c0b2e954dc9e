#include "store/memory/people.hpp"

#include <algorithm>

namespace parley::store {
namespace {

template <class Index, class Key, class Rows>
auto* find_in(const Index& index, const Key& key, Rows& rows)
{
    const auto found = index.find(key);
    return found == index.end() ? nullptr : &rows.at(found->second);
}

}  // namespace

bool People::add(User user)
{
    if (users_by_id_.contains(user.id) || users_by_name_.contains(user.name_key)) return false;
    const Position position = ++last_position_;
    users_by_id_[user.id] = position;
    users_by_name_[user.name_key] = position;
    users_.emplace(position, std::move(user));
    return true;
}

User* People::find_user(const std::string& id) { return find_in(users_by_id_, id, users_); }

User* People::find_user_by_name(const std::string& name_key)
{
    return find_in(users_by_name_, name_key, users_);
}

bool People::has_operator() const
{
    return std::ranges::any_of(users_, [](const auto& row) {
        return row.second.role == Role::operator_ && !row.second.disabled &&
               !row.second.password_hash.empty();
    });
}

void People::remove_user(const std::string& id)
{
    const auto found = users_by_id_.find(id);
    if (found == users_by_id_.end()) return;
    const auto row = users_.find(found->second);
    remove_tokens([&](const KeptToken& each) { return each.token.user == row->second.id; });
    users_by_name_.erase(row->second.name_key);
    users_by_id_.erase(found);
    users_.erase(row);
}

bool People::add(KeptToken token)
{
    if (tokens_by_id_.contains(token.token.id)) return false;
    if (!token.is_login && tokens_by_hash_.contains(token.token.hash)) return false;
    const Position position = ++last_position_;
    tokens_by_id_[token.token.id] = position;
    if (!token.is_login) tokens_by_hash_[token.token.hash] = position;
    tokens_.emplace(position, std::move(token));
    return true;
}

KeptToken* People::find_token(const TokenHash& hash)
{
    return find_in(tokens_by_hash_, hash, tokens_);
}

KeptToken* People::find_token(const std::string& id) { return find_in(tokens_by_id_, id, tokens_); }

KeptToken* People::find_login(const std::string& id)
{
    KeptToken* found = find_token(id);
    return found && found->is_login ? found : nullptr;
}

std::size_t People::remove_tokens(const std::function<bool(const KeptToken&)>& which,
                                  std::size_t most)
{
    std::size_t removed = 0;
    std::vector<std::string> ended;
    for (auto row = tokens_.begin(); row != tokens_.end() && removed < most;) {
        const KeptToken& each = row->second;
        if (!which(each)) {
            ++row;
            continue;
        }
        if (each.is_login)
            ended.push_back(each.token.id);
        else
            tokens_by_hash_.erase(each.token.hash);
        tokens_by_id_.erase(each.token.id);
        row = tokens_.erase(row);
        ++removed;
    }
    for (const std::string& login : ended)
        remove_tokens([&](const KeptToken& each) { return each.token.login == login; });
    return removed;
}

}  // namespace parley::store
