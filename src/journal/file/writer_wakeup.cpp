#include "journal/file/writer_wakeup.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace parley::journal::file {

// Wakes the writer when it is destroyed: by the loop's turn, or together with the loop.
class WriterWakeup::WakeAtTurnEnd {
public:
    WakeAtTurnEnd(std::shared_ptr<WriterWakeup> wakeup, const Executor& loop)
        : wakeup_(std::move(wakeup)), loop_(loop)
    {
    }
    WakeAtTurnEnd(WakeAtTurnEnd&&) = default;
    WakeAtTurnEnd& operator=(WakeAtTurnEnd&&) = delete;
    ~WakeAtTurnEnd()
    {
        if (!wakeup_) return;
        const MutexLock lock(wakeup_->mutex);
        std::erase(wakeup_->turns_, loop_);
        // Another loop may have woken it already.
        if (wakeup_->wanted_) wakeup_->wake();
    }
    void operator()() const {}

private:
    std::shared_ptr<WriterWakeup> wakeup_;
    Executor loop_;
};

void WriterWakeup::wait(MutexLock& lock)
{
    asleep_ = true;
    wanted_ = false;
    woken_.wait(lock);
    asleep_ = false;
}

void WriterWakeup::wake()
{
    if (std::exchange(asleep_, false)) woken_.notify_one();
}

void WriterWakeup::wake_after_loop_turn(const Executor& loop)
{
    wanted_ = true;
    if (!asleep_ || std::ranges::find(turns_, loop) != turns_.end()) return;
    turns_.push_back(loop);
    boost::asio::post(loop, WakeAtTurnEnd(shared_from_this(), loop));
}

}  // namespace parley::journal::file
