// The thread that loads an embedding model and then computes with it, as long as the engine lives.
#pragma once

#include "base/mutex.hpp"
#include "engine/llama/embedding_batches.hpp"
#include "engine/llama/embedding_model.hpp"
#include "engine/llama/llama_engine.hpp"

#include <thread>

namespace parley::engine::llama {

class EmbeddingWorker {
public:
    EmbeddingWorker(const LlamaOptions& options, const EmbeddingShape& shape);
    EmbeddingWorker(const EmbeddingWorker&) = delete;
    EmbeddingWorker& operator=(const EmbeddingWorker&) = delete;
    ~EmbeddingWorker();  // Unfinished jobs fail.

    // From any thread. Jobs wait until the model is loaded.
    void add(EmbeddingJobRef job);
    bool ready() const { return ready_; }
    std::uint64_t memory() const { return memory_; }  // Bytes that the model takes.

private:
    void run(const LlamaOptions& options, const EmbeddingShape& shape);
    void compute(EmbeddingModel& model, std::size_t max_tokens);
    void refuse_all(const Error& why);
    static void step(EmbeddingModel& model, EmbeddingBatches& batches);
    // The jobs that have arrived; waits for one if `is_idle`. None: the worker must end.
    std::optional<std::vector<EmbeddingJobRef>> take(bool is_idle);

    Mutex mutex_;
    Condition arrived_;
    std::vector<EmbeddingJobRef> jobs_ GUARDED_BY(mutex_);
    std::atomic<bool> ends_ = false;
    std::atomic<bool> ready_ = false;
    std::atomic<std::uint64_t> memory_ = 0;
    std::thread thread_;
};

}  // namespace parley::engine::llama
