#include "journal/writer_wakeup.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace parley::journal {

// Rings when it goes: when the loop has come to it, or is destroyed before it could.
class WriterWakeup::Turn {
public:
    Turn(std::shared_ptr<WriterWakeup> bell, const Executor& loop)
        : bell_(std::move(bell)), loop_(loop)
    {
    }
    Turn(Turn&&) = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn()
    {
        if (!bell_) return;
        const std::scoped_lock lock(bell_->mutex);
        std::erase(bell_->turns_, loop_);
        // Somebody else may have rung for both of us.
        if (bell_->wanted_) bell_->ring();
    }
    void operator()() const {}

private:
    std::shared_ptr<WriterWakeup> bell_;
    Executor loop_;
};

void WriterWakeup::wait(std::unique_lock<std::mutex>& lock)
{
    asleep_ = true;
    wanted_ = false;
    rung_.wait(lock);
    asleep_ = false;
}

void WriterWakeup::ring()
{
    if (std::exchange(asleep_, false)) rung_.notify_one();
}

void WriterWakeup::wake_after_loop_turn(const Executor& loop)
{
    wanted_ = true;
    if (!asleep_ || std::ranges::find(turns_, loop) != turns_.end()) return;
    turns_.push_back(loop);
    boost::asio::post(loop, Turn(shared_from_this(), loop));
}

}  // namespace parley::journal
