// A change that asks whether COMMIT is answered: it is made on a connection of its own, and looked
// at now and then. Trials that follow one another share the connection.
//
// Threads: belongs to one thread, which waits only for the connection.
#pragma once

#include "store/postgres/link.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace parley::store::postgres {

class CommitTrial {
public:
    using Steady = std::chrono::steady_clock;

    CommitTrial(const Options& options, const std::atomic<bool>& is_closing);

    // Begins a trial if there is none. True if its COMMIT has been answered: then it is over. No
    // trial is begun if there is no connection for it, which says nothing of COMMIT.
    bool is_answered();
    // When the trial was begun that has no answer yet.
    std::optional<Steady::time_point> begun() const { return begun_; }
    // No trial is needed for now: ends the connection, unless a trial uses it.
    void rest();
    // The server may have gone, and would never answer: the next trial asks another one. Once a
    // minute, since a COMMIT that hangs nevertheless keeps its connection; later if that is too
    // early.
    void forget();

private:
    void send();
    void forget_now();
    void drop();

    const Options& options_;
    const std::atomic<bool>& is_closing_;
    // Of its row, which is written again and again. One that was forgotten may still lock its row.
    std::string id_;
    std::unique_ptr<Link> link_;
    Steady::time_point give_up_at_;
    std::optional<Steady::time_point> begun_;
    bool is_stale_ = false;  // It is to be forgotten as soon as it may be.
    Steady::time_point forgets_from_ = {};
};

}  // namespace parley::store::postgres
