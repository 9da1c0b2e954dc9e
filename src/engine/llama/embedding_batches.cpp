#include "engine/llama/embedding_batches.hpp"

#include <algorithm>

namespace parley::engine::llama {

void EmbeddingBatches::drop_abandoned()
{
    std::erase_if(waiting_, [](const EmbeddingJobRef& job) {
        if (!job->abandoned) return false;
        job->end(no_longer_needed());
        return true;
    });
}

std::vector<EmbeddingBatches::Text> EmbeddingBatches::next()
{
    drop_abandoned();
    std::vector<Text> batch;
    std::size_t tokens = 0;
    while (!waiting_.empty() && batch.size() < max_texts_) {
        const EmbeddingJobRef job = waiting_.front();
        const std::size_t more = job->texts[job->taken].size();
        if (tokens + more > max_tokens_) break;  // It is the first one of the next batch.
        tokens += more;
        batch.push_back({job, job->taken++});
        waiting_.pop_front();
        if (job->taken < job->texts.size()) waiting_.push_back(job);
    }
    return batch;
}

void EmbeddingBatches::deliver(const std::vector<Text>& batch, Vectors vectors)
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        EmbeddingJob& job = *batch[i].job;
        job.vectors.push_back(std::move(vectors[i]));
        if (job.vectors.size() == job.texts.size()) job.end(std::move(job.vectors));
    }
}

void EmbeddingBatches::fail(const std::vector<Text>& batch, const Error& why)
{
    std::vector<EmbeddingJobRef> jobs;
    for (const Text& text : batch)
        if (std::ranges::find(jobs, text.job) == jobs.end()) jobs.push_back(text.job);
    for (const EmbeddingJobRef& job : jobs) {
        std::erase(waiting_, job);
        job->end(why);
    }
}

void EmbeddingBatches::fail_all(const Error& why)
{
    for (const EmbeddingJobRef& job : std::exchange(waiting_, {})) job->end(why);
}

}  // namespace parley::engine::llama
