// The log of a server, from its start to its end.
#pragma once

#include "base/log.hpp"

namespace parley::app {

// Writes all log lines before the process ends, for any reason.
class RunningLog {
public:
    explicit RunningLog(const log::Options& options) { log::start(options); }
    RunningLog(const RunningLog&) = delete;
    RunningLog& operator=(const RunningLog&) = delete;
    ~RunningLog() { log::stop(); }
};

}  // namespace parley::app
