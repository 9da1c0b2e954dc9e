// What Parley remembers. The interface is one of use cases, each of them atomic, grouped by
// concept. They are written once, in store/sql, over a driver for each database, which is a room of
// its own (store/sqlite); each passes the contract tests beside this file (contract_fixture.hpp).
//
// A use case that changes something resumes its caller only when the change would survive a power
// cut. Where it cannot be kept, it fails with storage_unavailable and has changed nothing; only
// after a failed sync nobody can know what the next start will find. Reading goes on while nothing
// can be written. Both fail with overloaded where too many wait.
//
// Threads: one store serves all; its methods may be called from any event loop. The store must
// outlive the tasks that wait for it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "store/accounts.hpp"
#include "store/audit.hpp"
#include "store/event_log.hpp"
#include "store/keys.hpp"
#include "store/messages.hpp"
#include "store/runs.hpp"
#include "store/sessions.hpp"
#include "store/tokens.hpp"

#include <cstdint>
#include <filesystem>

namespace parley::store {

// What a store tells about itself; read from any thread.
struct Figures {
    std::uint64_t writes_waiting = 0;
    std::uint64_t reads_waiting = 0;
    std::uint64_t bytes = 0;      // Of the data.
    std::uint64_t log_bytes = 0;  // Written, not yet part of the data's own file.
};

class Store {
public:
    virtual ~Store() = default;

    virtual Accounts& accounts() = 0;
    virtual Tokens& tokens() = 0;
    virtual AuditLog& audit() = 0;
    virtual Keys& keys() = 0;
    virtual Sessions& sessions() = 0;
    virtual Messages& messages() = 0;
    virtual Runs& runs() = 0;
    virtual EventLog& events() = 0;

    // Writes a copy of everything, as of one moment, to a file that must not exist, readable by its
    // owner alone; others go on reading and writing meanwhile. Gives the size in bytes. Fails with
    // not_implemented where there is nothing that a file could hold.
    virtual Task<Result<std::uint64_t>> back_up(std::filesystem::path file) = 0;

    // Fails with storage_unavailable once the store has given up writing until it is opened anew.
    virtual Result<> can_write() const = 0;

    virtual Figures figures() const = 0;
};

}  // namespace parley::store
