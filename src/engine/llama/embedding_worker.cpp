#include "engine/llama/embedding_worker.hpp"

#include "engine/llama/gpu.hpp"

#include <utility>

namespace parley::engine::llama {
namespace {

const Error is_stopping{Errc::model_unavailable, "The model is being stopped."};

}  // namespace

EmbeddingWorker::EmbeddingWorker(const LlamaOptions& options, const EmbeddingShape& shape)
    : thread_([this, options, shape] { run(options, shape); })
{
}

EmbeddingWorker::~EmbeddingWorker()
{
    {
        const MutexLock lock(mutex_);
        ends_ = true;
    }
    arrived_.notify_one();
    thread_.join();
}

void EmbeddingWorker::add(EmbeddingJobRef job)
{
    {
        const MutexLock lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    arrived_.notify_one();
}

std::optional<std::vector<EmbeddingJobRef>> EmbeddingWorker::take(bool is_idle)
{
    MutexLock lock(mutex_);
    while (is_idle && !ends_ && jobs_.empty()) arrived_.wait(lock);
    if (ends_) return {};
    return std::exchange(jobs_, {});
}

void EmbeddingWorker::run(const LlamaOptions& options, const EmbeddingShape& shape)
{
    std::optional<GpuLoading> loading(options.placement.gpu_layers > 0);
    auto model =
        EmbeddingModel::load({.path = options.path,
                              .shape = shape,
                              .threads = options.threads > 0 ? options.threads : usable_cores(),
                              .gpu_layers = options.placement.gpu_layers,
                              .progress =
                                  [&](float share) {
                                      if (options.progress)
                                          options.progress(static_cast<int>(share * 100));
                                      return !ends_;
                                  },
                              .is_ending = &ends_});
    const Loaded loaded{.gpu_bytes = loading->taken()};
    loading.reset();
    if (!model) {
        if (options.loaded && !ends_) options.loaded(model.error());
        refuse_all({Errc::model_unavailable, "The model could not be loaded"});
        return;
    }
    memory_ = (*model)->memory();
    ready_ = true;
    if (options.loaded) options.loaded(loaded);
    compute(**model, shape.batch);
    ready_ = false;
    refuse_all(is_stopping);
}

void EmbeddingWorker::compute(EmbeddingModel& model, std::size_t max_tokens)
{
    EmbeddingBatches batches(max_tokens, EmbeddingModel::max_texts);
    while (auto jobs = take(batches.empty())) {
        for (EmbeddingJobRef& job : *jobs) batches.add(std::move(job));
        step(model, batches);
    }
    batches.fail_all(is_stopping);
}

void EmbeddingWorker::step(EmbeddingModel& model, EmbeddingBatches& batches)
{
    const auto batch = batches.next();
    if (batch.empty()) return;  // All were abandoned.
    std::vector<std::span<const Token>> texts;
    texts.reserve(batch.size());
    for (const auto& text : batch) texts.emplace_back(text.tokens());
    if (auto vectors = model.compute(texts))
        EmbeddingBatches::deliver(batch, std::move(*vectors));
    else
        batches.fail(batch, {Errc::model_unavailable, "The model failed to compute."});
}

void EmbeddingWorker::refuse_all(const Error& why)
{
    while (auto jobs = take(true))
        for (const EmbeddingJobRef& job : *jobs) job->end(why);
    const MutexLock lock(mutex_);
    for (const EmbeddingJobRef& job : jobs_) job->end(why);
    jobs_.clear();
}

}  // namespace parley::engine::llama
