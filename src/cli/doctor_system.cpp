#include "app/descriptors.hpp"
#include "cli/finding.hpp"
#include "schedule/zone.hpp"

#include <sys/timex.h>

namespace parley::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto tolerance = std::chrono::minutes(1);
constexpr std::uint64_t little_memory_mib = 256;

int year_of(TimePoint time)
{
    const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(time));
    return static_cast<int>(date.year());
}

std::optional<fs::path> first_from_the_future(const fs::path& directory, TimePoint now)
{
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(directory, failure)) {
        const auto written = entry.last_write_time(failure);
        if (failure) continue;
        if (std::chrono::file_clock::to_sys(written) > now + tolerance) return entry.path();
    }
    return {};
}

}  // namespace

Finding check_clock(const app::DataPaths& paths, TimePoint now)
{
    Finding found{.check = "clock", .finding = rfc3339(now)};
    if (const int year = year_of(now); year < 2025 || year > 2100) {
        found.verdict = Verdict::fail;
        found.finding += ", which is not plausible";
        found.advice = "Set the clock: tokens and limits depend on it.";
    } else if (const auto file = first_from_the_future(paths.directory, now)) {
        found.verdict = Verdict::fail;
        found.finding += ", but " + file->string() + " has a later time";
        found.advice = "The clock has gone back: set it, or `touch` the file.";
    }
    return found;
}

Finding check_synchronised()
{
    timex state{};
    const int answer = adjtimex(&state);  // Only reads: no mode is set.
    if (answer < 0) return {.check = "time service", .finding = "unknown"};
    if (answer == TIME_ERROR || (state.status & STA_UNSYNC) != 0)
        return {.check = "time service",
                .verdict = Verdict::warn,
                .finding = "the clock is not synchronised, or the system does not report it",
                .advice = "Run a time service, such as systemd-timesyncd or chrony."};
    return {.check = "time service", .finding = "the clock is synchronised"};
}

Finding check_time_zones(const fs::path& folder, TimePoint now)
{
    auto zones = schedule::Zones::load(folder);
    if (!zones) zones = schedule::Zones::none();
    std::string complaint = zones->complaint(now);
    if (complaint.empty()) return {.check = "time zones", .finding = "version " + zones->version()};
    return {.check = "time zones",
            .verdict = Verdict::warn,
            .finding = std::move(complaint),
            .advice = "Install the newest package tzdata, then restart the server."};
}

Finding check_descriptors(std::uint64_t most, std::size_t max_connections)
{
    const std::size_t fit = app::connections_within(most, max_connections);
    Finding found{.check = "open files",
                  .finding = std::to_string(most) + " is the limit, which is enough for " +
                             std::to_string(fit) + " connections"};
    if (fit < max_connections) {
        found.verdict = Verdict::warn;
        found.finding += ", fewer than server.max_connections = " + std::to_string(max_connections);
        found.advice =
            "Raise the limit (ulimit -Hn, or LimitNOFILE= of systemd), or lower "
            "server.max_connections.";
    }
    return found;
}

Finding check_memory(std::uint64_t available_mib, unsigned cores)
{
    Finding found{.check = "memory and cores",
                  .finding = std::to_string(available_mib) + " MiB are available, and " +
                             std::to_string(cores) + (cores == 1 ? " core" : " cores")};
    if (available_mib < little_memory_mib) {
        found.verdict = Verdict::warn;
        found.finding += ", which is little";
        found.advice = "Stop other programs, or give the machine more memory.";
    }
    return found;
}

}  // namespace parley::cli
