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
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
}

void Progress::show()
{
    using std::chrono::seconds;
    bool shown = false;
    std::unique_lock lock(mutex_);
    for (auto passed = seconds(2);; passed += seconds(1)) {
        const auto wait = shown ? seconds(1) : passed;
        if (over_.wait_for(lock, wait, [this] { return is_over_; })) break;
        std::cerr << '\r' << doing_ << " … " << passed.count() << " s" << std::flush;
        shown = true;
    }
    if (shown) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace parley::cli
