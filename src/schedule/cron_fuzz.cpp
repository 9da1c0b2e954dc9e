// Reads patterns of anything. One that is understood must give occurrences that increase strictly,
// lie after the time that was asked about, and show a local time that the pattern names, unless a
// note says that a clock change moved it.
#include "schedule/schedule.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using namespace parley;
using namespace parley::schedule;

constexpr std::array<const char*, 8> zone_names{
    "UTC",          "Europe/Berlin",   "Australia/Lord_Howe", "Antarctica/Troll",
    "Africa/Cairo", "Pacific/Chatham", "Pacific/Apia",        "America/St_Johns"};

void require(bool holds)
{
    if (!holds) std::abort();
}

bool matches(const Cron& cron, LocalTime local)
{
    const auto day = std::chrono::floor<std::chrono::days>(local);
    const auto minute = std::chrono::floor<std::chrono::minutes>(local) - day;
    return local == day + minute && cron.has_day(day) &&
           cron.has_hour(static_cast<int>(minute.count() / 60)) &&
           cron.has_minute(static_cast<int>(minute.count() % 60));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Zones zones = Zones::load().value();
    std::uint32_t minutes = 0;
    if (size < 1 + sizeof(minutes)) return 0;
    const char* zone = zone_names[data[0] % zone_names.size()];
    std::memcpy(&minutes, data + 1, sizeof(minutes));
    const std::string text(reinterpret_cast<const char*>(data) + 5, size - 5);
    const auto cron = Cron::parse(text);
    const auto schedule = Schedule::make({.cron = text, .time_zone = zone}, zones);
    require(cron.has_value() == schedule.has_value());
    if (!cron) return 0;

    // From 1970 to 2233.
    TimePoint last{std::chrono::minutes(minutes % (263U * 365 * 24 * 60))};
    const auto found = schedule->occurrences(last, 5);
    for (const Occurrence& each : found) {
        require(each.at > last);
        last = each.at;
        const bool moved = each.note == Note::moved_by_clock_change;
        require(moved || matches(*cron, schedule->zone().local(each.at)));
    }
    if (!found.empty())
        require(schedule->next(found[0].at - TimePoint::duration(1)) == found[0].at);
    return 0;
}
