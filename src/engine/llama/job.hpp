// A question on its way through the engine: made on an event loop, handed over to the engine's
// thread, which works on it alone and sends pieces of the answer back to that loop.
//
// Threads: `left` may be used from both sides. The rest belongs to the engine's thread from the
// moment the job is handed over; the Listener belongs to the loop.
#pragma once

#include "engine/engine.hpp"
#include "engine/llama/sampler.hpp"
#include "engine/llama/whose.hpp"
#include "engine/llama/written_text.hpp"

#include <atomic>

namespace parley::engine::llama {

// What the engine's thread has to say about a job since the last time.
struct JobUpdate {
    std::vector<std::string> deltas = {};
    bool begun = false;  // The model has begun to read it.
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
    Tokens tokens;           // To be read before the first token can be written.
    std::size_t shared = 0;  // Of them: what depends on instructions alone.
    std::size_t prompt = 0;  // Of them: what is not part of the answer.
    SamplingParameters taste;
    std::optional<std::int64_t> most = {};  // Tokens of the answer.
    Whose whose = {};
    WrittenText text;

    // Keeps the loop from ending before it has heard the last of this job.
    boost::asio::executor_work_guard<Executor> loop;
    std::shared_ptr<Listener> listener;

    std::atomic<bool> left = false;  // Nobody waits for the answer any more.

    bool begun = false;  // It was given a slot.
    Usage usage = {};
    JobUpdate news = {};  // Not sent yet.
};

}  // namespace parley::engine::llama
