// One event of a run, as the journal, the store and every reader have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace parley {

struct RunEvent {
    // A snapshot replaces events that are gone; `ended` is the last event.
    enum class Type { created, delta, snapshot, ended };

    std::int64_t number = 0;
    Type type = Type::delta;
    // The text of a delta; the frame of any other event, as streams send it. Readers share it.
    std::shared_ptr<const std::string> bytes = {};

    // The memory that it takes, roughly. Most deltas are much smaller than what surrounds them.
    std::size_t cost() const
    {
        constexpr std::size_t overhead = 96;
        return overhead + bytes->size();
    }
};

}  // namespace parley
