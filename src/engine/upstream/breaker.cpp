#include "engine/upstream/breaker.hpp"

#include <algorithm>

namespace parley::engine::upstream {

bool Breaker::may_ask(SteadyPoint now)
{
    const MutexLock lock(mutex_);
    if (failures_ < failures_in_a_row) return true;
    if (now < probe_at_) return false;
    probe_at_ = now + pause;  // Others wait until then; all do if the probe has no result.
    return true;
}

void Breaker::succeeded()
{
    const MutexLock lock(mutex_);
    failures_ = 0;
    timeouts_ = 0;
}

void Breaker::failed(SteadyPoint now)
{
    const MutexLock lock(mutex_);
    failures_ = std::min(failures_ + 1, failures_in_a_row);
    if (failures_ == failures_in_a_row) probe_at_ = now + pause;
}

bool Breaker::timed_out()
{
    const MutexLock lock(mutex_);
    if (++timeouts_ < failures_in_a_row || is_being_probed_) return false;
    is_being_probed_ = true;
    return true;
}

void Breaker::probed(bool is_up, SteadyPoint now)
{
    const MutexLock lock(mutex_);
    is_being_probed_ = false;
    timeouts_ = 0;
    if (is_up) return;
    failures_ = failures_in_a_row;
    probe_at_ = now + pause;
}

std::chrono::nanoseconds Breaker::remaining_pause(SteadyPoint now) const
{
    const MutexLock lock(mutex_);
    if (failures_ < failures_in_a_row) return {};
    return std::max(probe_at_ - now, std::chrono::nanoseconds(0));
}

}  // namespace parley::engine::upstream
