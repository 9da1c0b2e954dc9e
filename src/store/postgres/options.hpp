// Options of a PostgreSQL store.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"
#include "store/postgres/connection_name.hpp"
#include "store/postgres/host_order.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace parley::store::postgres {

struct Options {
    std::string url;  // postgresql://…, with everything that libpq understands.
    std::shared_ptr<const Secret> password = {};      // If it is not in the URL.
    std::shared_ptr<const ConnectionName> name = {};  // Given to all connections; null: "parley".
    std::shared_ptr<HostOrder> hosts = std::make_shared<HostOrder>();  // Of all connections.
    std::size_t connections = 16;     // One more watches whether the server answers.
    std::size_t most_waiting = 8192;  // Writes, and as many reads.
    bool may_migrate = true;          // Otherwise a missing or older schema is refused.
    // Holds a lock that keeps away servers of earlier versions, which must be alone.
    bool is_server = false;
    // A server that does not answer for this long is away: requests are refused until it does. If
    // it does not answer COMMIT, changes are refused.
    std::chrono::milliseconds patience{1500};
    // How long a request waits to learn whether its interrupted COMMIT happened. An early answer
    // could only say that this is unknown, and an unknown run would block its session.
    std::chrono::milliseconds settling{30'000};
    std::chrono::milliseconds settling_at_end{3000};  // The same while the server shuts down.

    // Called by the thread that committed.
    std::function<void(std::size_t jobs, std::chrono::nanoseconds took)> on_commit = {};
    // Called by any thread if it remains unknown whether a COMMIT happened, when changes can be
    // stored again.
    std::function<void()> on_unknown_outcome = {};
};

// Host, port and database, without user and password: for logs and messages. Fails with
// invalid_request if the URL is not understood; the message does not repeat it.
Result<std::string> name_of_database(const std::string& url);

}  // namespace parley::store::postgres
