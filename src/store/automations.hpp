// Automations as the store keeps them: what each is to do, and up to when its due times are in the
// ledger (ledger.hpp). For everybody but the owner an automation does not exist.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/automation.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "store/audit.hpp"
#include "store/idempotency.hpp"
#include "store/old_secret.hpp"
#include "store/page.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

// Calls to a hook start its automation.
struct Hook {
    std::string id = {};  // hok_…
    HookVerification verify = HookVerification::token;
    std::string secret = {};  // The SHA-256 of a token; a secret for signatures, sealed.
    std::string hint = {};    // The end of the secret.
    OldSecrets old = {};      // The one that was replaced last comes first.
    TimePoint created_at = {};

    bool operator==(const Hook&) const = default;
};

struct Automation {
    std::string id = {};  // aut_…
    Owner owner = {};
    std::string name = {};
    std::string name_key = {};    // The name as it is searched: case-folded.
    std::string definition = {};  // All that was configured, as the rules write it.
    Overlap overlap = Overlap::queue;
    std::optional<std::int64_t> pause_after_failures = {};
    std::optional<std::int64_t> output_tokens_per_day = {};
    AutomationState state = AutomationState::active;
    std::optional<PauseReason> pause_reason = {};
    std::optional<std::string> session = {};  // ses_… in which the next run goes on.
    // Due times up to here are in the ledger. The next one is kept only to be found by it.
    TimePoint evaluated_until = {};
    std::optional<TimePoint> next_at = {};  // Nothing while paused.
    bool listens = false;                   // Events of the owner's log make it due.
    std::optional<Hook> hook = {};          // Calls to it make it due.
    TimePoint created_at = {};
    TimePoint updated_at = {};
    // The store's own to keep:
    std::int64_t revision = 1;  // Grows with each change of any field above.
    std::int64_t failures = 0;  // Rows that have failed since the last completed one.
    std::optional<std::string> last_run = {};  // aru_… of the row that was entered last.

    std::int64_t heard_until = 0;  // If it listens: events up to here are in the ledger.

    bool operator==(const Automation&) const = default;
};

struct AutomationChange {
    Automation automation = {};  // With everything that can be configured.
    std::int64_t seen = 0;       // The revision that was changed,
    AutomationState seen_state = AutomationState::active;  // and the state, if it is due anew.
    bool is_edited = true;                                 // More than the state changes.
    bool is_due_anew = false;  // Also the state and what it is due by: times or events from now on.
    bool sets_session = false;  // Also the session.
    bool forgets_failures = false;
    Cause cause = {};
    std::optional<AuditEvent> audit = {};  // If the hook changes.
};

struct AutomationFilter {
    std::optional<AutomationState> state = {};
    std::string name_part = {};  // Case-folded; empty: all.
};

struct DueAutomation {
    Automation automation = {};
    bool owner_is_disabled = false;
};

class Automations {
public:
    virtual ~Automations() = default;

    struct Created {
        Automation automation;
        bool replayed = false;  // The key was bound already: this is what it was bound to.
    };
    // Fails with quota_reached if the owner has `most` already; with not_found if the user is gone;
    // with a key as idempotency.hpp says.
    virtual Task<Result<Created>> create(Automation automation, std::size_t most,
                                         std::optional<KeyClaim> key, Cause cause,
                                         std::optional<AuditEvent> audit = {}) = 0;

    // What an earlier request with this key has created; nothing if the key is free. Fails as
    // create() does with a key.
    virtual Task<Result<std::optional<Automation>>> find_replay(Owner owner, KeyClaim key) = 0;

    virtual Task<Result<Automation>> find(Owner owner, std::string id) = 0;

    // The newest first, behind `after`, if that is given.
    using Position = std::int64_t;
    virtual Task<Result<Page<Automation, Position>>> list(Owner owner, AutomationFilter filter,
                                                          std::optional<Position> after,
                                                          std::size_t limit) = 0;

    // Fails with precondition_failed if its revision is another one than was seen.
    virtual Task<Result<Automation>> change(AutomationChange change) = 0;

    // With its ledger and its hook: they cannot be read any more. Its rows may be many: they are
    // deleted by sweep_removed(). Gives the runs that are to be cancelled. `audit` is stored if
    // there was a hook, with its id. Fails with precondition_failed if `expected` is given and not
    // its revision.
    virtual Task<Result<std::vector<std::string>>> remove(Owner owner, std::string id,
                                                          std::optional<std::int64_t> expected,
                                                          TimePoint now, Cause cause,
                                                          std::optional<AuditEvent> audit = {}) = 0;

    // Deletes rows of automations that were removed, `most` at most. False if none is left.
    virtual Task<Result<bool>> sweep_removed(std::size_t most) = 0;

    // The automation that a hook starts, for callers that have yet to show their credential. Fails
    // with not_found.
    virtual Task<Result<DueAutomation>> find_hook(std::string hook) = 0;

    // Active automations of everybody that have a time up to `until`, the earliest first, and
    // without their newest run; without those of owners with a test clock (ledger.hpp).
    virtual Task<Result<std::vector<DueAutomation>>> due(TimePoint until, std::size_t most) = 0;
    virtual Task<Result<std::optional<TimePoint>>> next_due() = 0;
    // All active automations that have a time, in any order, behind `after`; also those of owners
    // with a test clock.
    virtual Task<Result<Page<Automation, Position>>> scheduled(std::optional<Position> after,
                                                               std::size_t limit) = 0;

    // Owners with active automations that listen, and those of one owner.
    virtual Task<Result<std::vector<Owner>>> listening_owners() = 0;
    virtual Task<Result<std::vector<DueAutomation>>> listeners(Owner owner) = 0;
};

}  // namespace parley::store
