// The log of a server, from its start to its end.
#pragma once

#include "app/settings.hpp"
#include "base/log.hpp"

namespace parley::app {

// Writes all that was logged before the process ends, however it ends.
class RunningLog {
public:
    explicit RunningLog(const Settings& settings)
    {
        const auto level = settings.log_level == "debug"   ? log::Level::debug
                           : settings.log_level == "warn"  ? log::Level::warn
                           : settings.log_level == "error" ? log::Level::error
                                                           : log::Level::info;
        const auto format = settings.log_format == "people" ? log::Format::people
                            : settings.log_format == "json" ? log::Format::json
                                                            : log::Format::automatic;
        log::start({.level = level, .format = format});
    }
    RunningLog(const RunningLog&) = delete;
    RunningLog& operator=(const RunningLog&) = delete;
    ~RunningLog() { log::stop(); }
};

}  // namespace parley::app
