#include "cli/audit_names.hpp"

#include "cli/pages.hpp"

namespace parley::cli {
namespace {

std::string text_of(const boost::json::object& object, const char* name)
{
    return boost::json::value_to<std::string>(object.at(name));
}

}  // namespace

// A caller may have the right to read the audit log but not this list; then ids are shown.
void AuditNames::learn_users()
{
    if (std::exchange(knows_users_, true)) return;
    static_cast<void>(
        for_each_item(client_, "/v1/api/users", max_users, [&](const boost::json::object& user) {
            users_[text_of(user, "id")] = text_of(user, "username");
            return true;
        }));
}

void AuditNames::learn_tokens_of(const std::string& user, const std::string& name)
{
    constexpr std::int64_t max_tokens = 1000;
    static_cast<void>(for_each_item(client_, "/v1/api/users/" + user + "/tokens", max_tokens,
                                    [&](const boost::json::object& token) {
                                        tokens_[text_of(token, "id")] =
                                            text_of(token, "name") + " of " + name;
                                        return true;
                                    }));
}

void AuditNames::learn_tokens()
{
    if (std::exchange(knows_tokens_, true)) return;
    learn_users();
    std::size_t owners = 0;
    for (const auto& [id, name] : users_)
        if (owners++ < max_token_owners) learn_tokens_of(id, name);
}

std::string AuditNames::find(const std::string& id)
{
    const bool is_user = id.starts_with("usr_");
    const bool is_token = id.starts_with("tok_");
    if (is_user) learn_users();
    if (is_token) learn_tokens();
    const auto& names = is_token ? tokens_ : users_;
    const auto found = names.find(id);
    return found == names.end() ? std::string() : found->second;
}

}  // namespace parley::cli
