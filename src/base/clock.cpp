#include "base/clock.hpp"

#include <algorithm>
#include <cstddef>

namespace parley {
namespace {

class SystemClock final : public Clock {
public:
    TimePoint now() const override { return std::chrono::system_clock::now(); }
    SteadyPoint steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace

const Clock& system_clock()
{
    static const SystemClock clock;
    return clock;
}

void ManualClock::advance(std::chrono::nanoseconds by)
{
    now_ += std::chrono::duration_cast<TimePoint::duration>(by).count();
    steady_ += std::chrono::duration_cast<SteadyPoint::duration>(by).count();
}

void write_rfc3339(TimePoint time, Rfc3339& out)
{
    using namespace std::chrono;
    constexpr sys_time<milliseconds> first = sys_days(year(0) / 1 / 1);
    constexpr sys_time<milliseconds> last = sys_days(year(10000) / 1 / 1) - milliseconds(1);
    const auto moment = std::clamp(floor<milliseconds>(time), first, last);
    const auto midnight = floor<days>(moment);
    const year_month_day date(midnight);
    const hh_mm_ss clock(moment - midnight);

    const auto digits = [&](std::size_t at, std::size_t width, auto number) {
        for (auto rest = static_cast<unsigned>(number); width-- > 0; rest /= 10)
            out[at + width] = static_cast<char>('0' + rest % 10);
    };
    out = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
           '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
    digits(0, 4, static_cast<int>(date.year()));
    digits(5, 2, static_cast<unsigned>(date.month()));
    digits(8, 2, static_cast<unsigned>(date.day()));
    digits(11, 2, clock.hours().count());
    digits(14, 2, clock.minutes().count());
    digits(17, 2, clock.seconds().count());
    digits(20, 3, clock.subseconds().count());
}

std::string rfc3339(TimePoint time)
{
    Rfc3339 text;
    write_rfc3339(time, text);
    return {text.data(), text.size()};
}

}  // namespace parley
