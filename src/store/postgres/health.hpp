// Watches whether the server answers: a thread asks it several times a second, on its own
// connection. While the server is away, requests are refused at once instead of waiting for it.
//
// Threads: the functions may be called from any thread.
#pragma once

#include "base/mutex.hpp"
#include "store/postgres/link.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace parley::store::postgres {

class Health {
public:
    // Logs under this name when the server goes away and comes back.
    Health(const Options& options, std::string name);
    ~Health();
    Health(const Health&) = delete;
    Health& operator=(const Health&) = delete;

    // The server has not answered for longer than Options::patience, or cannot be connected to.
    bool is_away() const;
    // For how long; zero while it answers.
    std::chrono::milliseconds away_for() const;
    // Waits until it answers again; false if that takes longer than `most`, or the store closes.
    bool wait_until_back(std::chrono::milliseconds most);

    std::uint64_t database_bytes() const { return bytes_; }

private:
    void watch();
    std::unique_ptr<Link> connected(const Link::GiveUp& give_up);
    void do_chores(Link& link);
    void heard();
    void missed(const std::string& why);
    bool pause(std::chrono::milliseconds time);

    const Options options_;
    const std::string name_;
    std::atomic<std::int64_t> heard_at_;    // Milliseconds of the steady clock.
    std::atomic<bool> is_refused_ = false;  // The last attempt failed.
    std::atomic<std::uint64_t> bytes_ = 0;
    std::atomic<bool> is_closing_ = false;
    Mutex mutex_;
    Condition changed_;
    std::thread thread_;  // Last: it uses all the others.
};

}  // namespace parley::store::postgres
