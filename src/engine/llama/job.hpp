// A question in the engine: created on an event loop, passed to the engine's thread, which alone
// works on it and sends pieces of the answer back to that loop.
//
// Threads: `left` may be used from both sides. The rest belongs to the engine's thread from the
// moment the job is handed over; the Listener belongs to the loop.
#pragma once

#include "engine/engine.hpp"
#include "engine/llama/grammar.hpp"
#include "engine/llama/sampler.hpp"
#include "engine/llama/whose.hpp"
#include "engine/llama/written_text.hpp"

#include <atomic>

namespace parley::engine::llama {

// News about a job since the last update.
struct JobUpdate {
    std::vector<std::string> deltas = {};
    bool begun = false;  // The prefill has started.
    Usage usage = {};    // Up to now.
    std::optional<StopReason> end = {};
    std::optional<Error> error = {};

    bool empty() const { return deltas.empty() && !end && !error; }
};

// The loop's side of a job.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void hear(JobUpdate news) = 0;  // On its loop.
};

struct Job {
    Tokens tokens;                       // The whole input of the model.
    std::size_t instruction_tokens = 0;  // How many of them depend only on the instructions.
    std::size_t prompt_tokens = 0;       // How many of them come before the answer.
    SamplingParameters parameters;
    std::unique_ptr<Grammar> grammar = {};  // Null: free text.
    std::optional<std::int64_t> max_output_tokens = {};
    Whose whose = {};
    WrittenText text;

    // Keeps the loop alive until the last update of this job.
    boost::asio::executor_work_guard<Executor> loop;
    std::shared_ptr<Listener> listener;

    std::atomic<bool> abandoned = false;  // The client no longer needs the answer.

    bool begun = false;  // It was given a slot.
    Usage usage = {};
    JobUpdate news = {};  // Not sent yet.
};

}  // namespace parley::engine::llama
