// Runs an embedding model: computes the vectors of several texts in one batch.
//
// Threads: belongs to the thread of the model. Its compute threads inherit the niceness of the
// thread that makes it.
#pragma once

#include "base/error.hpp"
#include "engine/embedder.hpp"
#include "engine/llama/compute_threads.hpp"
#include "engine/llama/token.hpp"
#include "engine/llama/vocabulary.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <span>

struct llama_batch;
struct llama_context;

namespace parley::engine::llama {

struct EmbeddingShape {
    std::int64_t dimensions = 0;  // Numbers in a vector.
    std::size_t batch = 0;        // Tokens of texts that are computed together.
    std::size_t step = 0;         // Tokens that the model reads at once.
};

class EmbeddingModel {
public:
    static constexpr std::size_t max_texts = 64;  // In one batch.

    struct Options {
        std::string path;
        EmbeddingShape shape;
        int threads = 1;
        std::uint64_t gpu_layers = 0;
        std::function<bool(float)> progress;           // False: give up.
        const std::atomic<bool>* is_ending = nullptr;  // True: stop in the middle of a batch.
    };

    // Takes as long as the disk needs for the weights. Fails with a message for the operator.
    static Result<std::unique_ptr<EmbeddingModel>> load(const Options& options);

    ~EmbeddingModel();
    EmbeddingModel(const EmbeddingModel&) = delete;
    EmbeddingModel& operator=(const EmbeddingModel&) = delete;

    // Bytes of the weights. Compute buffers are not included.
    std::uint64_t memory() const { return weights_bytes_; }

    // The vectors of these texts, each of the length 1. None: the model has failed, or is ending.
    std::optional<Vectors> compute(std::span<const std::span<const Token>> texts);

private:
    struct Freed {
        void operator()(llama_context* context) const;
    };

    EmbeddingModel() = default;
    bool read(llama_batch batch);

    ModelHandle model_;
    std::unique_ptr<ComputeThreads> threads_;
    std::unique_ptr<llama_context, Freed> context_;
    EmbeddingShape shape_;
    std::uint64_t weights_bytes_ = 0;
};

}  // namespace parley::engine::llama
