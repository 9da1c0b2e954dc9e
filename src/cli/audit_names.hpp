// Names for the ids in audit events: of users, and of tokens with their users. An id of something
// that has been removed has no name.
#pragma once

#include "cli/api_client.hpp"

#include <map>
#include <string>

namespace parley::cli {

class AuditNames {
public:
    // Beyond these limits, ids are printed instead of names, so that a list of events does not read
    // all users.
    static constexpr std::int64_t max_users = 1000;
    static constexpr std::size_t max_token_owners = 50;

    explicit AuditNames(ApiClient& client) : client_(client) {}

    // "ana", or "laptop of ana" for a token; empty if it is not known. Not escaped for a terminal.
    std::string find(const std::string& id);

private:
    void learn_users();
    void learn_tokens();
    void learn_tokens_of(const std::string& user, const std::string& name);

    ApiClient& client_;
    bool knows_users_ = false;
    bool knows_tokens_ = false;
    std::map<std::string, std::string> users_;   // Names by id.
    std::map<std::string, std::string> tokens_;  // By id: the token's name and user.
};

}  // namespace parley::cli
