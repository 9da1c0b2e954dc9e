// Shows progress on a terminal, once an operation takes longer than two seconds. Shows nothing
// without a terminal.
#pragma once

#include "base/mutex.hpp"

#include <string>
#include <thread>

namespace parley::cli {

class Progress {
public:
    // "Copying": shown with the elapsed time, until this object is destroyed.
    explicit Progress(std::string doing);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    void show();

    std::string doing_;
    Mutex mutex_;
    Condition over_;
    bool is_over_ GUARDED_BY(mutex_) = false;
    std::thread thread_;  // None if standard error is not a terminal.
};

}  // namespace parley::cli
