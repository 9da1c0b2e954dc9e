// Shows on a terminal that something is still going on, once it takes longer than two seconds.
// Elsewhere it shows nothing.
#pragma once

#include "base/mutex.hpp"

#include <string>
#include <thread>

namespace parley::cli {

class Progress {
public:
    // "Copying": shown with the time that has passed, until this object goes.
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
    std::thread thread_;  // None where standard error is no terminal.
};

}  // namespace parley::cli
