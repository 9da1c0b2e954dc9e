#include "engine/llama/worker.hpp"

#include "base/log.hpp"
#include "engine/llama/schedule.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine::llama {

using namespace std::chrono_literals;

namespace {

// Memory of the prefix cache: a share of the available memory after the model was loaded. With it,
// an idle server stays below 1 GiB.
constexpr std::uint64_t least_kept = std::uint64_t{64} * 1024 * 1024;
constexpr std::uint64_t most_kept = std::uint64_t{512} * 1024 * 1024;
constexpr std::uint64_t share_kept = 8;

constexpr std::chrono::hours forever{24};

std::size_t bytes_to_keep(const LlamaOptions& options)
{
    if (options.memory.cache > 0) return options.memory.cache;
    return std::clamp(options.available_memory() / share_kept, least_kept, most_kept);
}

std::int64_t slots_of(const LlamaOptions& options)
{
    const std::uint64_t slots =
        options.memory.slots > 0 ? options.memory.slots : options.placement.slots;
    return static_cast<std::int64_t>(slots);
}

}  // namespace

Worker::Worker(const LlamaOptions& options, std::int64_t context, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      kept_(options.kept_file, options.path),
      thread_([this, options, context] { run(options, context); })
{
}

Worker::~Worker()
{
    {
        const MutexLock lock(mutex_);
        ends_ = true;
    }
    arrived_.notify_one();
    thread_.join();
}

void Worker::add(std::shared_ptr<Job> job)
{
    {
        const MutexLock lock(mutex_);
        post_.jobs.push_back(std::move(job));
    }
    arrived_.notify_one();
}

void Worker::forget(std::string_view whose)
{
    {
        const MutexLock lock(mutex_);
        post_.forgotten.emplace_back(whose);
    }
    arrived_.notify_one();
}

std::optional<Worker::Post> Worker::take(std::chrono::milliseconds wait)
{
    MutexLock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + wait;
    while (!ends_ && post_.empty() && arrived_.wait_until(lock, until)) {
    }
    if (ends_) return {};
    return std::exchange(post_, {});
}

void Worker::run(const LlamaOptions& options, std::int64_t context)
{
    auto decoder = Decoder::load({.path = options.path,
                                  .context = context,
                                  .slots = slots_of(options),
                                  .threads = options.threads > 0 ? options.threads : usable_cores(),
                                  .placement = options.placement,
                                  .available_memory = options.available_memory,
                                  .progress =
                                      [&](float share) {
                                          if (options.progress)
                                              options.progress(static_cast<int>(share * 100));
                                          return !ends_;
                                      },
                                  .is_ending = &ends_});
    if (!decoder) {
        if (options.loaded && !ends_) options.loaded(decoder.error());
        refuse_all({Errc::model_unavailable, "The model could not be loaded"});
        return;
    }
    Schedule schedule(**decoder, vocabulary_, bytes_to_keep(options));
    schedule.read(kept_);
    memory_ = schedule.memory();
    ready_ = true;
    if (options.loaded) options.loaded(Loaded{.gpu_bytes = (*decoder)->gpu_bytes()});

    const auto patience = [&]() -> std::chrono::milliseconds {
        if (!schedule.idle()) return 0ms;
        return schedule.rests() ? forever : options.rest_after;
    };
    while (auto post = take(patience())) {
        for (auto& job : post->jobs) schedule.add(std::move(job));
        for (const std::string& whose : post->forgotten) schedule.forget(whose);
        if (!schedule.idle())
            schedule.step();
        else if (post->empty() && !schedule.rests())
            schedule.rest();
        memory_ = schedule.memory();
    }
    ready_ = false;
    Post last;
    {
        const MutexLock lock(mutex_);
        last = std::exchange(post_, {});
    }
    for (const std::string& whose : last.forgotten) schedule.forget(whose);
    schedule.write(kept_);
    for (auto& job : last.jobs) schedule.add(std::move(job));
    schedule.fail_all();
}

void Worker::refuse_all(const Error& why)
{
    while (auto post = take(forever)) {
        for (auto& job : post->jobs) job->news.error = why;
        send_news(std::move(post->jobs));
    }
    const MutexLock lock(mutex_);
    for (auto& job : post_.jobs) job->news.error = why;
    send_news(std::move(post_.jobs));
}

}  // namespace parley::engine::llama
