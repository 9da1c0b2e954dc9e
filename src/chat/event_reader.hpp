// One reader of a run's events, from any number on: finds them in the ring of an active run, in the
// journal or in the store, and waits for new ones. If events are no longer stored, a snapshot
// replaces them.
//
// A reader that is not up to date pays for the memory of the past that it reads.
//
// Threads: one event loop; give_up() from any thread. Store, journal and EndedRuns must outlive it.
#pragma once

#include "chat/active_run.hpp"
#include "chat/ended_run.hpp"
#include "journal/journal.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::chat {

class EventReader {
public:
    struct Sources {
        store::Store& store;
        journal::Journal& journal;
        EndedRuns& ended_runs;
    };
    // For an active run (or one that has just ended), or for a run that ended before, whose events
    // may no longer be stored. `after`: the number of the last event that the reader has.
    EventReader(Sources sources, ActiveRunRef run, std::int64_t after, TakeMemory take);
    EventReader(Sources sources, EndedRun::Whole ended, std::int64_t after, bool are_kept,
                TakeMemory take);

    struct Batch {
        std::vector<RunEvent> events = {};
        bool is_live = false;  // The reader has all before them. If its client does not keep up
                               // from here, the stream is cut.
        bool is_last = false;  // Nothing follows.
        bool was_suspended = false;  // The server shuts down: the rest comes from the next one.
    };
    // Waits for the next events. The last batch, or the one of a suspended run, may be empty; so
    // may one after give_up(). Fails with overloaded, and as store and journal do.
    Task<Result<Batch>> next();

    void give_up();

    // The reader has all events so far.
    bool is_up_to_date() const;

    // The reader claims to have events that the active run does not have: a power failure has lost
    // them. Waits for a server that may send them again.
    Task<bool> is_ahead();

private:
    Task<Result<Batch>> from_feed();
    Task<bool> wait_for_lost_events();
    bool has_lost_events() const;
    Batch snapshot_of_moment();
    Task<Result<Batch>> from_journal();
    Task<bool> wait_for_stored_end();
    Task<Result<Batch>> from_store();
    Task<Result<std::vector<RunEvent>>> stored_events();
    Task<Result<>> share(EndedRun::Whole ended);
    Result<> pay_for_batch();
    Batch snapshot_of_end();

    Sources sources_;
    ActiveRunRef run_;  // Null for a run that ended before.
    EndedRun::Whole unshared_ = {};
    EndedRunRef ended_ = {};
    std::optional<KeptEvents> kept_ = {};  // The events of the ended run.
    TakeMemory take_;
    std::shared_ptr<void> charge_ = {};  // For the batch that is being sent.
    Feed::FollowerRef follower_;
    std::uint64_t replacements_ = 0;  // Of the feed's events, so far.
    std::int64_t after_;
    bool are_kept_ = true;
    bool is_live_ = false;
    bool has_begun_ = false;
};

}  // namespace parley::chat
