// Texts that wait for their vectors: created on an event loop, passed to the thread of the model,
// which alone works on them.
//
// Threads: `abandoned` and end() may be used from both sides. The rest belongs to the model's
// thread from the moment the job is handed over.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "engine/embedder.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace parley::engine::llama {

struct EmbeddingJob {
    TokenLists texts;
    std::optional<Completion<Result<Vectors>>> done = {};  // Called by end().

    std::atomic<bool> abandoned = false;  // The client no longer needs the vectors.

    std::size_t taken = 0;  // Texts that are computed, or part of the current batch.
    Vectors vectors = {};   // The results for the texts so far.

    // The first call counts: a client that leaves does not wait for the current batch.
    void end(Result<Vectors> how)
    {
        if (has_ended.exchange(true)) return;
        auto completion = std::move(*done);
        std::move(completion)(std::move(how));
    }

    std::atomic<bool> has_ended = false;
};
using EmbeddingJobRef = std::shared_ptr<EmbeddingJob>;

// The error of a job that was abandoned.
inline Error no_longer_needed()
{
    return {Errc::run_cancelled, "The embeddings are no longer needed."};
}

}  // namespace parley::engine::llama
