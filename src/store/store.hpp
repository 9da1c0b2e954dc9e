// The persistent data of Parley. The interface consists of use cases, each of them atomic, grouped
// by concept. They are implemented once, in store/sql, over a driver for each database, which is a
// separate room (store/sqlite); each passes the contract tests beside this file
// (contract_fixture.hpp).
//
// A use case that changes something resumes its caller only when the change would survive a power
// cut. If it cannot be stored, it fails with storage_unavailable and has changed nothing; only
// after a failed sync it is unknown whether the change survives. Reading works while nothing can be
// written. Both fail with overloaded if too many wait.
//
// Threads: one store serves all; its methods may be called from any event loop. The store must
// outlive the tasks that wait for it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "store/accounts.hpp"
#include "store/audit.hpp"
#include "store/automations.hpp"
#include "store/deliveries.hpp"
#include "store/event_log.hpp"
#include "store/identities.hpp"
#include "store/keys.hpp"
#include "store/ledger.hpp"
#include "store/messages.hpp"
#include "store/runs.hpp"
#include "store/search.hpp"
#include "store/sessions.hpp"
#include "store/tokens.hpp"
#include "store/usage.hpp"
#include "store/webhooks.hpp"

#include <cstdint>
#include <filesystem>

namespace parley::store {

// Metrics of a store; read from any thread.
struct Figures {
    std::uint64_t writes_waiting = 0;
    std::uint64_t reads_waiting = 0;
    std::uint64_t bytes = 0;      // The size of the data.
    std::uint64_t log_bytes = 0;  // Size of the write-ahead log.
};

class Moving;

class Store {
public:
    virtual ~Store() = default;

    virtual Accounts& accounts() = 0;
    virtual Identities& identities() = 0;
    virtual Tokens& tokens() = 0;
    virtual AuditLog& audit() = 0;
    virtual Keys& keys() = 0;
    virtual Sessions& sessions() = 0;
    virtual Messages& messages() = 0;
    virtual Runs& runs() = 0;
    virtual Automations& automations() = 0;
    virtual Ledger& ledger() = 0;
    virtual EventLog& events() = 0;
    virtual Webhooks& webhooks() = 0;
    virtual Deliveries& deliveries() = 0;
    virtual Search& search() = 0;
    virtual UsageLog& usage() = 0;
    virtual Moving& moving() = 0;  // store/moving.hpp

    // Writes a snapshot of all data to a file that must not exist, readable only by its owner;
    // reads and writes continue meanwhile. Returns the size in bytes. Fails with not_implemented if
    // the store cannot be copied to a file.
    virtual Task<Result<std::uint64_t>> back_up(std::filesystem::path file) = 0;

    // Fails with storage_unavailable once the store has stopped writing until it is reopened.
    virtual Result<> can_write() const = 0;

    // The server shuts down: changes whose outcome is unknown are waited for only for seconds.
    virtual void end_soon() {}

    virtual Figures figures() const = 0;
};

}  // namespace parley::store
