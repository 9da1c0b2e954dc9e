// A database that can hold a store: it runs the use cases of this room, each in a transaction.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::store::sql {

class Driver {
public:
    virtual ~Driver() = default;

    // Jobs that may change something; answered when that would survive a power cut.
    virtual JobQueue& writes() = 0;
    // Jobs that only read; all their queries see the same moment.
    virtual JobQueue& reads() = 0;
    // Told by the driver, when they can be read, of the event logs that have grown
    // (Connection::take_grown_logs).
    virtual EventSignal& events_signal() = 0;

    // As Store says.
    virtual Task<Result<std::uint64_t>> back_up(std::filesystem::path file) = 0;
    virtual Result<> can_write() const = 0;
    virtual Figures figures() const = 0;
};

std::unique_ptr<Store> make_store(std::unique_ptr<Driver> driver);

}  // namespace parley::store::sql
