// A cron pattern: minute, hour, day of month, month, day of week. It describes local times only; a
// time zone converts them to instants (schedule.hpp).
//
//   *   5   1-5   */10   0-30/10   1,15,20-25        in every field
//   JAN…DEC, SUN…SAT without case, also in ranges    0 and 7 are Sunday; ranges do not wrap
//   L as day of month: the last                      FRI#2, FRI#L as day of week: second, last
//
// If both day fields are restricted, which is anything but a bare `*`, either is enough.
#pragma once

#include "schedule/cron_field.hpp"

#include <chrono>
#include <string_view>

namespace parley::schedule {

class Cron {
public:
    // Fails with invalid_request; the message names each wrong field.
    static Result<Cron> parse(std::string_view text);

    bool has_day(std::chrono::local_days day) const;
    bool has_month(std::chrono::month month) const
    {
        return months_.has(static_cast<int>(static_cast<unsigned>(month)));
    }
    bool has_hour(int hour) const { return hours_.has(hour); }
    bool has_minute(int minute) const { return minutes_.has(minute); }

    // By value: 0-23 as well as `*`.
    bool has_every_hour() const { return hours_.numbers == 0xff'ffff; }

    // Both day fields are restricted, and one of them is enough: often not what people expect.
    bool either_day_is_enough() const { return !days_.bare && !weekdays_.bare; }

private:
    CronValues minutes_, hours_, days_, months_, weekdays_;
};

}  // namespace parley::schedule
