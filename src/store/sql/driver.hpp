// A database that can hold a store: it runs the use cases of this room, each in a transaction.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::store::sql {

class Driver {
public:
    virtual ~Driver() = default;

    // Jobs that may change data; answered when the change would survive a power cut.
    virtual JobQueue& writes() = 0;
    // Jobs that only read; all their queries see the same moment.
    virtual JobQueue& reads() = 0;
    // The same for jobs that take seconds or minutes; other reads do not wait for them.
    virtual JobQueue& long_reads() = 0;
    // The same for searches, whose work depends on what users have written.
    virtual JobQueue& searches() = 0;
    // The driver signals event logs that have grown (Connection::take_grown_logs), once the new
    // events can be read.
    virtual EventSignal& events_signal() = 0;

    // As Store says.
    virtual Task<Result<std::uint64_t>> back_up(std::filesystem::path file) = 0;
    virtual Result<> can_write() const = 0;
    virtual void end_soon() {}
    virtual Figures figures() const = 0;
};

std::unique_ptr<Store> make_store(std::unique_ptr<Driver> driver);

}  // namespace parley::store::sql
