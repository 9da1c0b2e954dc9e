#include "base/log.hpp"

#include "base/log_line.hpp"
#include "base/log_writer.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace parley::log {
namespace {

constexpr std::chrono::seconds patience_at_end{2};
constexpr std::size_t kept_line_bytes = std::size_t{16} * 1024;

Look look_of(Format format, int fd)
{
    const bool terminal = isatty(fd) == 1;
    if (format == Format::json || (format == Format::automatic && !terminal)) return Look::json;
    return terminal && std::getenv("NO_COLOR") == nullptr ? Look::colours : Look::people;
}

std::string dropped_line(std::uint64_t count);

// Set by start(). Never destroyed, so that lines can be written until the process ends.
struct Log {
    std::atomic<Look> look = look_of(Format::automatic, STDERR_FILENO);
    std::atomic<const Clock*> clock = &system_clock();
    Writer writer{dropped_line};
};

Log& the_log()
{
    static Log& log = *new Log;
    return log;
}

std::string dropped_line(std::uint64_t count)
{
    const Log& log = the_log();
    const Value dropped = kv("count", count);
    std::string line;
    append_line(line, log.look, log.clock.load()->now(), Level::warn, "log lines dropped",
                {&dropped, 1});
    return line;
}

}  // namespace

void start(const Options& options)
{
    Log& log = the_log();
    log.look = look_of(options.format, options.fd);
    log.clock = options.clock;
    const Level usual = isatty(options.fd) == 1 ? Level::warn : Level::info;
    detail::lowest = options.level.value_or(usual);
    log.writer.start(options.fd);
}

bool flush(std::chrono::milliseconds patience) { return the_log().writer.flush(patience); }

void stop() { the_log().writer.stop(patience_at_end); }

namespace detail {

void write(Level level, std::string_view message, std::span<const Value> values)
{
    thread_local std::string line;
    Log& log = the_log();
    line.clear();
    append_line(line, log.look.load(std::memory_order_relaxed),
                log.clock.load(std::memory_order_relaxed)->now(), level, message, values);
    log.writer.append(line, level >= Level::warn);
    if (line.capacity() > kept_line_bytes) line = {};
}

}  // namespace detail
}  // namespace parley::log
