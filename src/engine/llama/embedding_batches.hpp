// Decides which texts are computed together. Jobs take turns, text by text, so that a request with
// thousands of texts delays one with a single text by one batch.
//
// Threads: belongs to the thread of the model.
#pragma once

#include "engine/llama/embedding_job.hpp"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace parley::engine::llama {

class EmbeddingBatches {
public:
    struct Text {
        EmbeddingJobRef job;
        std::size_t index;

        const std::vector<std::int32_t>& tokens() const { return job->texts[index]; }
    };

    // At most so many tokens and texts in a batch; every text must fit into one.
    EmbeddingBatches(std::size_t max_tokens, std::size_t max_texts)
        : max_tokens_(max_tokens), max_texts_(max_texts)
    {
    }

    void add(EmbeddingJobRef job) { waiting_.push_back(std::move(job)); }
    bool empty() const { return waiting_.empty(); }

    // The next batch; the texts of each job come in order. Jobs that were abandoned end here.
    std::vector<Text> next();

    // Gives the vectors to the jobs of the batch, and ends those that have all.
    static void deliver(const std::vector<Text>& batch, Vectors vectors);

    // Ends the jobs of the batch, also those with more texts.
    void fail(const std::vector<Text>& batch, const Error& why);
    void fail_all(const Error& why);

private:
    void drop_abandoned();

    const std::size_t max_tokens_;
    const std::size_t max_texts_;
    std::deque<EmbeddingJobRef> waiting_;  // Those with texts that are not taken yet.
};

}  // namespace parley::engine::llama
