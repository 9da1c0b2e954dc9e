#include "cli/progress.hpp"

#include <chrono>
#include <iostream>
#include <unistd.h>

namespace parley::cli {

Progress::Progress(std::string doing) : doing_(std::move(doing))
{
    if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { show(); });
}

Progress::~Progress()
{
    if (!thread_.joinable()) return;
    {
        const MutexLock lock(mutex_);
        is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
}

void Progress::show()
{
    using std::chrono::seconds;
    bool shown = false;
    const auto begin = std::chrono::steady_clock::now();
    MutexLock lock(mutex_);
    for (auto passed = seconds(2);; passed += seconds(1)) {
        while (!is_over_ && over_.wait_until(lock, begin + passed)) {
        }
        if (is_over_) break;
        std::cerr << '\r' << doing_ << " … " << passed.count() << " s" << std::flush;
        shown = true;
    }
    if (shown) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace parley::cli
