// Up to which position the messages of a database were read for the index.
//
// PostgreSQL may commit a message after others with a higher position. So messages are read in
// passes, and the newest ones are read in several of them: a position is settled when a pass has
// read it that began after the end of all transactions that may have used it. A transaction has its
// number before it takes a position, because it has locked or inserted a row by then.
//
// Threads: one task at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace parley::store::sql {

// Numbers of transactions while messages are read.
struct RunningTransactions {
    std::int64_t oldest = 0;  // All below have ended, and their messages are visible.
    std::int64_t next = 0;    // All that have a number are below.
};

class SettledPositions {
public:
    // Another index does not have what was read for the one before it.
    void read_for(std::int64_t index)
    {
        if (index == index_) return;
        *this = SettledPositions();
        index_ = index;
    }

    // From where to read on: `stored` is the position from which a pass begins.
    std::int64_t next_from(std::int64_t stored) const { return std::max(stored, read_to_); }

    // The messages up to this position were read; at `is_end` there are no further ones, and the
    // next pass begins.
    void note_read(std::int64_t position, bool is_end, const RunningTransactions& running)
    {
        if (read_to_ == 0) begin_pass(running.oldest);
        if (seen_.empty() || position > seen_.back().position)
            seen_.push_back({running.next, position});
        read_to_ = is_end ? 0 : position;
        if (is_end) settled_ = std::max(settled_, settled_by_pass_);
    }

    // All messages up to this position were read.
    std::int64_t settled() const { return settled_; }

private:
    struct Seen {
        std::int64_t next_transaction;
        std::int64_t position;
    };

    void begin_pass(std::int64_t oldest_transaction)
    {
        while (!seen_.empty() && seen_.front().next_transaction <= oldest_transaction) {
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
