// Everything that the runs of a server share: the store, the models, their limits, and their
// metrics.
//
// Threads: from any thread, unless a comment says otherwise.
#pragma once

#include "chat/ended_run.hpp"
#include "chat/event_retention.hpp"
#include "chat/prompt_images.hpp"
#include "chat/run_errors.hpp"
#include "chat/run_options.hpp"
#include "chat/usage_recorder.hpp"
#include "engine/models.hpp"
#include "journal/journal.hpp"
#include "store/store.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>

namespace parley::chat {

class RunCounters {
public:
    using Ended = std::array<std::uint64_t, 6>;  // By RunStatus.

    // Called with the time from a question to its first delta. To be set before the first run.
    void observe_first_delta(std::function<void(std::chrono::nanoseconds)> observe)
    {
        observe_first_delta_ = std::move(observe);
    }

    void count_first_delta(std::chrono::nanoseconds took) const
    {
        if (observe_first_delta_) observe_first_delta_(took);
    }
    void count_events(std::size_t events) { events_ += events; }
    void count_end(RunStatus status) { ++ended_.at(static_cast<std::size_t>(status)); }

    std::uint64_t events() const { return events_; }
    Ended ended() const
    {
        Ended ended{};
        for (std::size_t i = 0; i < ended.size(); ++i) ended.at(i) = ended_.at(i);
        return ended;
    }

private:
    std::function<void(std::chrono::nanoseconds)> observe_first_delta_;
    std::atomic<std::uint64_t> events_ = 0;
    std::array<std::atomic<std::uint64_t>, 6> ended_{};
};

struct RunContext {
    RunContext(store::Store& store_, journal::Journal& journal_, const engine::Models& models_,
               const RunErrors& errors_, RunOptions options_)
        : store(store_),
          journal(journal_),
          models(models_),
          errors(errors_),
          options(std::move(options_)),
          retention(store, *options.clock, options.expiry, options.events_keep),
          ended_runs(store, errors)
    {
    }

    store::Store& store;
    journal::Journal& journal;
    const engine::Models& models;
    const RunErrors& errors;
    const RunOptions options;
    EventRetention retention;
    EndedRuns ended_runs;
    RunCounters counters;
    PromptMemory image_memory;
    UsageRecorder usage;
};

}  // namespace parley::chat
