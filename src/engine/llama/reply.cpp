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

Task<Result<Output>> ReplyBuffer::take()
{
    while (news_.empty() && !stopped_) {
        woken_.expires_at(Timer::time_point::max());
        boost::system::error_code cancelled;
        co_await woken_.async_wait(boost::asio::redirect_error(awaiting, cancelled));
    }
    // Text before an error comes first; the error follows with the next call.
    if (news_.deltas.empty() && news_.error) co_return *news_.error;
    Output output{.deltas = std::exchange(news_.deltas, {})};
    if (stopped_ && !news_.end) news_.end = StopReason::cancelled;
    if (news_.end && !news_.error)
        output.finish = Finish{.reason = *news_.end, .usage = news_.usage};
    co_return output;
}

void ReplyBuffer::stop()
{
    stopped_ = true;
    woken_.cancel();
}

LlamaReply::LlamaReply(std::shared_ptr<Job> job, std::shared_ptr<ReplyBuffer> buffer,
                       std::shared_ptr<Figures> figures)
    : job_(std::move(job)), buffer_(std::move(buffer)), figures_(std::move(figures))
{
}

LlamaReply::~LlamaReply()
{
    job_->abandoned = true;
    figures_->add(buffer_->usage());
}

Task<Result<Output>> LlamaReply::next() { return buffer_->take(); }

void LlamaReply::stop()
{
    job_->abandoned = true;
    buffer_->stop();
}

std::optional<Usage> LlamaReply::used() const
{
    if (!buffer_->has_begun()) return {};
    return buffer_->usage();
}

}  // namespace parley::engine::llama
