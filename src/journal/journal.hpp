// The journal keeps the events of active runs. Acknowledged events survive `kill -9` of this
// process, byte for byte. When a run's events are in the store, end() removes them.
//
// The store alone knows which runs have ended. After a restart the journal may still have events of
// such runs, until keep_only() removes them.
//
// Every journal passes the tests in journal_contract.cpp.
//
// Threads: from any thread. Appends and reads resume on the loop that asked. The journal must
// outlive the tasks that wait for it, and their loops must outlive it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "journal/figures.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::journal {

// An event, encoded once: the journal and all readers share these bytes.
using Frame = std::shared_ptr<const std::string>;

// An event as it was appended.
struct Record {
    std::uint32_t number = 0;
    std::string bytes = {};

    // The memory that it takes, roughly: an event may be a single letter.
    static constexpr std::size_t overhead = 64;
    std::size_t cost() const { return overhead + bytes.size(); }
};

// The events of a run that the journal has.
struct RunState {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool whole = true;  // Every event from 1 to `last` is there.

    bool operator==(const RunState&) const = default;
};

// For Journal::read_all: a run, and what the reader has of it.
struct Wanted {
    std::string run = {};
    std::uint32_t after = 0;  // The last event.
    std::int64_t epoch = 0;   // As in NewEvents; -1: it does not know.
};
struct NewEvents {
    // Of a journal that servers share, if it is not the one that the reader knows: how often a
    // server has taken over the run of another one; and the last event that there is.
    struct Epoch {
        std::int64_t number = 0;
        std::uint32_t last = 0;
    };

    std::size_t of = 0;  // Which of those that were wanted.
    std::vector<Record> records = {};
    bool has_ended = false;  // The run has ended, or the journal has nothing of it.
    std::optional<Epoch> epoch = {};
};

class Journal {
public:
    Journal() = default;
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    virtual ~Journal() = default;

    // Returns when the events would survive this process. All of them are kept, or none.
    //
    // A run begins with number 1, and each append continues after the last successful one; any
    // other number is a bug of the caller, is logged and fails with `internal`. So does a run's
    // name or a frame beyond its limit. Fails with `storage_unavailable` if nothing can be written
    // (then nothing is kept, and the same number must be used again), `overloaded` if too much
    // waits, `shutting_down` after the end; in a journal that servers share, with `lost_ownership`
    // if the run belongs to another server now, and `not_found` if it was deleted.
    virtual Task<Result<>> append(std::string_view run, std::uint32_t first,
                                  std::span<const Frame> frames) = 0;

    // The first event of a run was stored with the run, in a database that the journal shares with
    // the store: the next append has number 2. To be called before it.
    virtual void begun(std::string_view /*run*/) {}

    // The events after a number, as many as fit into `max_bytes` of memory (Record::cost), but at
    // least one if there is one.
    // Their numbers are consecutive from `after` + 1, unless the run is not whole. Fails with
    // `not_found` for a run without events or one that has ended, `storage_unavailable` when they
    // cannot be read, `overloaded` when too many reads wait already.
    virtual Task<Result<std::vector<Record>>> read(std::string_view run, std::uint32_t after,
                                                   std::size_t max_bytes) = 0;

    // The same for several runs at once, up to `max_bytes` of each. Only runs with news are in the
    // result.
    virtual Task<Result<std::vector<NewEvents>>> read_all(std::vector<Wanted> wanted,
                                                          std::size_t max_bytes) = 0;

    // Nothing for a run without events, or one that has ended.
    virtual Task<Result<std::optional<RunState>>> state(std::string_view run) = 0;

    // The run's events are not needed any more. May be called again, and for unknown runs. Not to
    // be called while one of the run's appends is under way.
    virtual void end(std::string_view run) = 0;
    // The same if the end of the run is in the store. In a database that both share, that has
    // removed its events.
    virtual void end_stored(std::string_view run) { end(run); }

    // At start: removes the events of runs that have ended; these have not. A journal that servers
    // share also keeps the events of other servers' runs.
    virtual void keep_only(std::span<const std::string> runs) = 0;

    // At shutdown, when runs are suspended: appends that cannot be stored within 2 seconds fail
    // with `shutting_down`.
    virtual void end_soon() {}

    virtual Figures figures() const = 0;
};

}  // namespace parley::journal
