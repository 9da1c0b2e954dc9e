// Events of a run that were sent before: those that the journal has of an active run, and those
// that the store has of an ended one.
//
// Threads: from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/kept_events.hpp"
#include "domain/run_event.hpp"
#include "journal/journal.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::chat {

// The text so far, and how it was cut.
struct PastEvents {
    std::int64_t last = 0;  // 0: there are none.
    std::string text = {};
    DeltaSizes deltas = {};
    bool is_whole = true;  // False: the journal lost events, so nothing can be restored.
};

// Fails as the journal does; with not_found if the run ends meanwhile.
Task<Result<PastEvents>> read_past_events(journal::Journal& journal, std::string run);

// The events of an ended run after a number, up to its last one. Nothing if they are not stored.
Task<std::optional<std::vector<RunEvent>>> rest_of_events(store::Store& store,
                                                          const store::RunWithMessages& ended,
                                                          std::int64_t after);

}  // namespace parley::chat
