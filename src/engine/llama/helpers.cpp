#include "engine/llama/helpers.hpp"

namespace parley::engine::llama {
namespace {

// Waking a thread takes about as long as this many pieces of work.
constexpr std::size_t worth_help = 4;

}  // namespace

Helpers::Helpers(std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { help(); });
}

Helpers::~Helpers()
{
    {
        const MutexLock lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Helpers::for_each(std::size_t count, const std::function<void(std::size_t)>& work)
{
    next_ = 0;
    if (threads_.empty() || count < worth_help) return take_part(work, count);
    {
        const MutexLock lock(mutex_);
        work_ = &work;
        count_ = count;
        ++round_;
    }
    changed_.notify_all();
    take_part(work, count);
    MutexLock lock(mutex_);
    work_ = nullptr;  // Helpers that wake up too late do not count.
    while (busy_ > 0) done_.wait(lock);
}

void Helpers::take_part(const std::function<void(std::size_t)>& work, std::size_t count)
{
    for (std::size_t i = next_++; i < count; i = next_++) work(i);
}

void Helpers::help()
{
    std::size_t seen = 0;
    MutexLock lock(mutex_);
    while (true) {
        while (!ends_ && round_ == seen) changed_.wait(lock);
        if (ends_) return;
        seen = round_;
        if (!work_) continue;
        const auto& work = *work_;
        const std::size_t count = count_;
        ++busy_;
        lock.unlock();
        take_part(work, count);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

}  // namespace parley::engine::llama
