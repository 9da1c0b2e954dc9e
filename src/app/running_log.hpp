// The log of a server, from its start to its end.
#pragma once

#include "app/settings.hpp"
#include "base/log.hpp"

#include <string>
#include <unistd.h>

namespace parley::app {

// Writes all log lines before the process ends, for any reason.
class RunningLog {
public:
    explicit RunningLog(const Settings& settings)
    {
        // A person at a terminal has the banner; the log is for files and programs.
        const std::string usual = isatty(STDERR_FILENO) != 0 ? "warn" : "info";
        const std::string& wanted = settings.log_level == "auto" ? usual : settings.log_level;
        const auto level = wanted == "debug"   ? log::Level::debug
                           : wanted == "warn"  ? log::Level::warn
                           : wanted == "error" ? log::Level::error
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
