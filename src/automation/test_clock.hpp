// The time of automations in test mode: a client moves it forward, and when it has its answer, all
// that falls due until then is in the ledger. It stands still until it is moved again.
//
// Threads: from any event loop.
#pragma once

#include "automation/automations.hpp"
#include "store/user_turns.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace parley::automation {

class TestClock {
public:
    static constexpr std::size_t most_rows = 10'000;
    static constexpr std::chrono::days farthest{3652};  // Ten years.

    // Keeps the rows of an owner from being started until it is destroyed.
    using Hold = std::function<std::shared_ptr<void>(const Owner&)>;

    // `wake` is called after each change. All must outlive it.
    TestClock(store::Store& store, chat::Runs& runs, const schedule::Zones& zones,
              const chat::RunErrors& errors, const Clock& clock, std::function<void()> wake,
              Hold hold)
        : store_(store),
          runs_(runs),
          zones_(zones),
          errors_(errors),
          clock_(clock),
          wake_(std::move(wake)),
          hold_(std::move(hold))
    {
    }

    // Nothing: real time. Both fail with insufficient_scope outside of test mode.
    Task<Result<std::optional<TimePoint>>> get(Owner owner) const;
    // Fails with validation_failed if the time goes back or too far, or too much would fall due.
    // Those of one user at the same time come one after another; fails with overloaded if too many
    // of them wait.
    Task<Result<>> set(Owner owner, std::optional<TimePoint> to);

private:
    // The rows and bytes that one step may still enter.
    struct Room {
        std::size_t rows = most_rows;
        std::size_t bytes = std::size_t{16} * 1024 * 1024;
    };
    // `older_until` is set by the first step. Fails as Ledger::set_test_clock does.
    Task<Result<>> enter(const store::TestClockChange& change,
                         std::optional<std::int64_t>& older_until);
    Task<Result<store::TestClockChange>> change_to(Owner owner, std::optional<TimePoint> to);
    Task<Result<store::DueEntry>> entry_of(const store::Automation& automation,
                                           const Definition& definition, TimePoint until,
                                           TimePoint now, Room& room) const;

    store::Store& store_;
    chat::Runs& runs_;
    const schedule::Zones& zones_;
    const chat::RunErrors& errors_;
    const Clock& clock_;
    const std::function<void()> wake_;
    const Hold hold_;
    store::UserTurns turns_;
};

// The time of an owner's test clock; nothing: the owner has none.
Task<Result<std::optional<TimePoint>>> test_time_of(store::Store& store, Owner owner);

// The time of an owner's automations.
Task<Result<TimePoint>> time_of(store::Store& store, const Clock& clock, Owner owner);

}  // namespace parley::automation
