// The reply of the embedded model: waits on its loop for updates of the engine's thread.
#pragma once

#include "base/timer.hpp"
#include "engine/llama/job.hpp"

#include <chrono>

namespace parley::engine::llama {

// Collects the updates of a job until they are taken. Belongs to its loop.
class ReplyBuffer final : public Listener {
public:
    ReplyBuffer(const Executor& loop, Usage usage) : woken_(loop), news_{.usage = usage} {}

    void hear(JobUpdate news) override;

    // Waits until there is something, and takes it.
    Task<Result<Output>> take();

    void stop();

    const Usage& usage() const { return news_.usage; }  // Up to now.
    bool has_begun() const { return news_.begun; }

private:
    Timer woken_;  // Never expires: cancelled when there is news.
    JobUpdate news_;
    bool stopped_ = false;
};

class LlamaReply final : public Reply {
public:
    // Adds to the metrics when destroyed.
    LlamaReply(std::shared_ptr<Job> job, std::shared_ptr<ReplyBuffer> buffer,
               std::shared_ptr<Figures> figures);
    ~LlamaReply() override;
    LlamaReply(const LlamaReply&) = delete;
    LlamaReply& operator=(const LlamaReply&) = delete;

    Task<Result<Output>> next() override;
    void stop() override;
    std::optional<Usage> used() const override;

private:
    std::shared_ptr<Job> job_;
    std::shared_ptr<ReplyBuffer> buffer_;
    std::shared_ptr<Figures> figures_;
};

}  // namespace parley::engine::llama
