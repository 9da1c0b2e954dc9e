// Answers questions about schedules, for tests/schedule/oracle.py. One per line, separated by tabs:
//
//   zone  pattern  every_weeks  starts_at  ends_at  after  most      times in seconds, "-": none
//
// The answer is a line as well: "1806197400" or "1806197400 moved_by_clock_change" for each
// occurrence, separated by commas.
#include "schedule/schedule.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace parley;
using namespace parley::schedule;

std::optional<TimePoint> time_of(const std::string& text)
{
    if (text == "-") return std::nullopt;
    return TimePoint(std::chrono::seconds(std::atoll(text.c_str())));
}

std::string answer(const std::vector<std::string>& parts, const Zones& zones)
{
    ScheduleRequest request{.cron = parts.at(1), .time_zone = parts.at(0)};
    request.every_weeks = std::atoll(parts.at(2).c_str());
    request.starts_at = time_of(parts.at(3));
    request.ends_at = time_of(parts.at(4));
    const auto schedule = Schedule::make(request, zones);
    if (!schedule) return schedule.error().message;
    const auto most = static_cast<std::size_t>(std::atoll(parts.at(6).c_str()));
    std::string text;
    for (const Occurrence& each : schedule->occurrences(*time_of(parts.at(5)), most)) {
        const auto seconds = each.at.time_since_epoch() / std::chrono::seconds(1);
        text.append(text.empty() ? "" : ",").append(std::to_string(seconds));
        if (const auto note = to_text(each.note)) text.append(" ").append(*note);
    }
    return text;
}

}  // namespace

int main()
{
    const auto zones = Zones::load();
    if (!zones) {
        std::cerr << zones.error().message << '\n';
        return 1;
    }
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> parts;
        std::istringstream stream(line);
        for (std::string part; std::getline(stream, part, '\t');) parts.push_back(part);
        std::cout << answer(parts, *zones) << '\n';
    }
    return 0;
}
