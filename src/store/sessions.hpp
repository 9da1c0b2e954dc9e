// Chat sessions in the store. Every use case takes the owner, and fails with not_found for other
// users, exactly as for a session that does not exist.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "store/idempotency.hpp"
#include "store/page.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

using Metadata = std::map<std::string, std::string>;

struct Session {
    std::string id = {};  // ses_…
    Owner owner = {};
    std::string title = {};      // Made from the first message until a user sets one.
    std::string title_key = {};  // The title as it is searched: case-folded.
    bool title_was_set = false;
    std::optional<std::string> instructions = {};
    std::optional<std::string> model = {};  // Nothing: the server's default.
    bool archived = false;
    Metadata metadata = {};
    std::optional<std::string> automation = {};  // aut_… that has made it.
    bool keep = false;                           // Never removed because it is old.
    TimePoint created_at = {};
    TimePoint updated_at = {};
    std::optional<TimePoint> last_message_at = {};
    // Set by the store:
    std::int64_t message_count = 0;
    std::optional<std::string> newest_message = {};  // msg_…
    std::vector<std::string> active_runs = {};       // Queued or running, in the order they began.
    std::int64_t revision = 1;                       // Grows with every change of any of this.

    bool operator==(const Session&) const = default;
};

struct SessionChange {
    std::optional<std::string> title = {};
    std::optional<std::string> title_key = {};
    std::optional<bool> archived = {};
    std::optional<bool> keep = {};
    std::optional<std::optional<std::string>> instructions = {};
    std::optional<std::optional<std::string>> model = {};
    std::optional<Metadata> metadata = {};  // As a whole.
    TimePoint now = {};
    Cause cause = {};
};

struct SessionRemoval {
    std::optional<std::int64_t> expected = {};  // The revision that it must have.
    TimePoint now = {};
    Cause cause = {};
};

struct SessionFilter {
    enum class Sort { activity, created };

    Sort sort = Sort::activity;
    bool ascending = false;
    std::optional<bool> archived = {};  // Nothing: both.
    std::string title_part = {};        // Case-folded; empty: all.
    // aut_… that has made them; empty: made by no automation. Nothing: all.
    std::optional<std::string> automation = {};
};

// A session that may be deleted because it is old.
struct IdleSession {
    std::string id = {};
    Owner owner = {};
    std::int64_t revision = 0;
};

class Sessions {
public:
    virtual ~Sessions() = default;

    struct Created {
        Session session;
        bool replayed = false;  // The key was used before: this is its session.
    };
    // A session without messages; creating it is an activity. Fails with conflict if the id already
    // exists; with a key as idempotency.hpp says; with not_found if the user was removed.
    virtual Task<Result<Created>> create_session(Session session, std::optional<KeyClaim> key = {},
                                                 Cause cause = {}) = 0;

    virtual Task<Result<Session>> find_session(Owner owner, std::string id) = 0;

    // In the order of the filter; after `after`, if given. The position of a session in the order
    // of activity changes with each message; positions are never reused by other sessions.
    using Position = std::int64_t;
    virtual Task<Result<Page<Session, Position>>> list_sessions(Owner owner, SessionFilter filter,
                                                                std::optional<Position> after,
                                                                std::size_t limit) = 0;

    // Fails with precondition_failed if `expected` is given and is not its revision. Not an
    // activity.
    virtual Task<Result<Session>> change_session(Owner owner, std::string id, SessionChange change,
                                                 std::optional<std::int64_t> expected = {}) = 0;

    // Removes the session with all messages, runs and events. A run that finishes later gets
    // not_found. Fails with precondition_failed if `expected` is given and is not its revision.
    virtual Task<Result<>> remove_session(Owner owner, std::string id,
                                          SessionRemoval removal = {}) = 0;

    // Sessions of all users that are not to be kept, and had no activity for as many days as their
    // user has set, or for `max_days`, if that is given and less; `most` at most.
    virtual Task<Result<std::vector<IdleSession>>> idle_sessions(
        TimePoint now, std::optional<std::int64_t> max_days, std::size_t most) = 0;
};

}  // namespace parley::store
