// The thread that loads a model and then computes with it, as long as the engine lives.
#pragma once

#include "base/mutex.hpp"
#include "engine/llama/job.hpp"
#include "engine/llama/llama_engine.hpp"
#include "engine/llama/prefix_cache_file.hpp"
#include "engine/llama/vocabulary.hpp"

#include <chrono>
#include <thread>

namespace parley::engine::llama {

class Worker {
public:
    // `context`: the maximum tokens of one conversation. The vocabulary must outlive it.
    Worker(const LlamaOptions& options, std::int64_t context, const Vocabulary& vocabulary);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();  // Unfinished jobs fail.

    // From any thread.
    void add(std::shared_ptr<Job> job);
    void forget(std::string_view whose);  // A session, or a user.
    bool ready() const { return ready_; }
    std::uint64_t memory() const { return memory_; }  // Bytes that the model takes.

private:
    struct Post {
        std::vector<std::shared_ptr<Job>> jobs = {};
        std::vector<std::string> forgotten = {};

        bool empty() const { return jobs.empty() && forgotten.empty(); }
    };

    void run(const LlamaOptions& options, std::int64_t context);
    void refuse_all(const Error& why);
    // Returns when there is a message, or after this time. None: the worker must end.
    std::optional<Post> take(std::chrono::milliseconds wait);

    const Vocabulary& vocabulary_;
    Mutex mutex_;
    Condition arrived_;
    Post post_ GUARDED_BY(mutex_);
    std::atomic<bool> ends_ = false;
    std::atomic<bool> ready_ = false;
    std::atomic<std::uint64_t> memory_ = 0;
    PrefixCacheFile kept_;
    std::thread thread_;
};

}  // namespace parley::engine::llama
