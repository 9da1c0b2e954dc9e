// Identities in the store: the users of persons at an OpenID provider. Also the attempts to log
// in there that have been used, so that each of them is used once on all servers.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "store/accounts.hpp"

#include <optional>
#include <string>

namespace parley::store {

// A person as a provider knows them. Both texts are compared byte by byte.
struct Identity {
    std::string issuer;
    std::string subject;

    bool operator==(const Identity&) const = default;
};

class Identities {
public:
    virtual ~Identities() = default;

    // Fails with not_found.
    virtual Task<Result<User>> find_user(Identity identity) = 0;

    // Adds a user with an identity, which is removed with the user. Fails with conflict if the name
    // is taken or the identity belongs to a user. As in accounts.hpp, both are stored with the
    // audit event or not at all.
    virtual Task<Result<>> add_user(User user, Identity identity,
                                    std::optional<AuditEvent> audit = {}) = 0;

    // Uses up an attempt to log in. Fails with conflict if it was used before. Attempts that have
    // expired are forgotten: the caller refuses them.
    virtual Task<Result<>> use_attempt(CodeHash attempt, TimePoint expires_at, TimePoint now) = 0;
};

}  // namespace parley::store
