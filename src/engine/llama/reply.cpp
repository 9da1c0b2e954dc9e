#include "engine/llama/reply.hpp"

#include <boost/asio/redirect_error.hpp>

#include <iterator>
#include <utility>

namespace parley::engine::llama {

void ReplyBuffer::hear(JobUpdate news)
{
    news_.deltas.insert(news_.deltas.end(), std::make_move_iterator(news.deltas.begin()),
                        std::make_move_iterator(news.deltas.end()));
    news_.begun = news.begun;
    news_.usage = news.usage;
    if (news.end) news_.end = news.end;
    if (news.error) news_.error = std::move(news.error);
    woken_.cancel();
}

Task<Result<Written>> ReplyBuffer::take()
{
    while (news_.empty() && !stopped_) {
        woken_.expires_at(Timer::time_point::max());
        boost::system::error_code cancelled;
        co_await woken_.async_wait(boost::asio::redirect_error(awaiting, cancelled));
    }
    // Text before an error comes first; the error follows with the next call.
    if (news_.deltas.empty() && news_.error) co_return *news_.error;
    Written written{.deltas = std::exchange(news_.deltas, {})};
    if (stopped_ && !news_.end) news_.end = StopReason::cancelled;
    if (news_.end && !news_.error)
        written.finish = Finish{.reason = *news_.end, .usage = news_.usage};
    co_return written;
}

void ReplyBuffer::stop()
{
    stopped_ = true;
    woken_.cancel();
}

LlamaReply::LlamaReply(std::shared_ptr<Job> job, std::shared_ptr<ReplyBuffer> gathering,
                       std::shared_ptr<Figures> figures)
    : job_(std::move(job)), gathering_(std::move(gathering)), figures_(std::move(figures))
{
}

LlamaReply::~LlamaReply()
{
    job_->left = true;
    figures_->add(gathering_->usage());
}

Task<Result<Written>> LlamaReply::next() { return gathering_->take(); }

void LlamaReply::stop()
{
    job_->left = true;
    gathering_->stop();
}

std::optional<Usage> LlamaReply::used() const
{
    if (!gathering_->has_begun()) return {};
    return gathering_->usage();
}

}  // namespace parley::engine::llama
