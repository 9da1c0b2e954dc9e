// Up to which position the messages of a database were read for the index.
//
// PostgreSQL may commit a message after others with a higher position. So messages are read in
// passes, and the messages of the last minutes are read in several of them: a position is settled
// when a pass has read it that began after the end of all transactions that may have used it.
//
// Threads: one task at a time.
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>

namespace parley::store::sql {

class SettledPositions {
public:
    // Longer than any transaction: PostgreSQL ends those that pause for 60 seconds.
    static constexpr std::chrono::seconds longest_transaction{120};

    // Another index does not have what was read for the one before it.
    void read_for(std::int64_t index)
    {
        if (index == index_) return;
        *this = SettledPositions();
        index_ = index;
    }

    // From where to read on: `stored` is the position from which a pass begins.
    std::int64_t next_from(std::int64_t stored) const { return std::max(stored, read_to_); }

    // The messages up to this position were read, between these times; at `is_end` there are no
    // further ones, and the next pass begins.
    void note_read(std::int64_t position, bool is_end, SteadyPoint begun, SteadyPoint ended)
    {
        if (read_to_ == 0) begin_pass(begun);
        if (seen_.empty() || position > seen_.back().position) seen_.push_back({ended, position});
        read_to_ = is_end ? 0 : position;
        if (is_end) settled_ = std::max(settled_, settled_by_pass_);
    }

    // All messages up to this position were read.
    std::int64_t settled() const { return settled_; }

private:
    struct Seen {
        SteadyPoint at;
        std::int64_t position;
    };

    void begin_pass(SteadyPoint now)
    {
        while (!seen_.empty() && seen_.front().at + longest_transaction <= now) {
            settled_by_pass_ = seen_.front().position;
            seen_.pop_front();
        }
    }

    std::int64_t index_ = 0;
    std::deque<Seen> seen_;
    std::int64_t read_to_ = 0;  // By the pass; 0: the next one has not begun.
    std::int64_t settled_by_pass_ = 0;
    std::int64_t settled_ = 0;
};

}  // namespace parley::store::sql
