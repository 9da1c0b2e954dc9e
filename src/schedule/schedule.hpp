// When something is due: a cron pattern in a time zone, or one instant. Pure: no clock, no store;
// the caller gives the time after which to look. The result depends on nothing else, so that no
// future time needs to be stored.
//
// When the clocks change (RFC 5545, 3.3.5):
// - A local time that is skipped fires with the offset before the change: 02:30 becomes 03:30.
// - A local time that occurs twice fires the first time.
// - A pattern with every hour follows real time instead: nothing is moved, and both occurrences
// fire.
// - Two local times that become one instant fire once.
#pragma once

#include "schedule/cron.hpp"
#include "schedule/zone.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace parley::schedule {

enum class Note { none, moved_by_clock_change, first_of_two };

// "moved_by_clock_change", "first_of_two"; nothing for none.
std::optional<std::string_view> to_text(Note note);

struct Occurrence {
    TimePoint at;
    Note note = Note::none;

    bool operator==(const Occurrence&) const = default;
};

// The parameters of a schedule.
struct ScheduleRequest {
    std::optional<std::string> cron = {};  // Exactly one of these two.
    std::optional<TimePoint> at = {};
    std::optional<std::string> time_zone = {};
    std::int64_t every_weeks =
        1;  // Weeks begin on Monday and are counted from that of `starts_at`.
    std::optional<TimePoint> starts_at = {};  // Both inclusive.
    std::optional<TimePoint> ends_at = {};
};

class Schedule {
public:
    // Fails with validation_failed and all faults; their pointers begin at the request, "/cron".
    static Result<Schedule> make(const ScheduleRequest& request, const Zones& zones);

    // The next ones, strictly after `after` and strictly increasing. Fewer than `most` if the
    // schedule ends, if nine years pass without one, or at the end of the year 2261.
    std::vector<Occurrence> occurrences(TimePoint after, std::size_t most) const;
    std::optional<TimePoint> next(TimePoint after) const;

    // Fails with validation_failed and `never_fires` if there is no next time.
    Result<> fires_after(TimePoint now) const;

    const Zone& zone() const { return zone_; }
    bool either_day_is_enough() const { return cron_ && cron_->either_day_is_enough(); }

private:
    friend class Search;

    Schedule(const ScheduleRequest& request, const std::optional<Cron>& cron, Zone zone);
    bool has_week_of(std::chrono::local_days day) const;

    std::optional<Cron> cron_;
    std::optional<TimePoint> at_;
    Zone zone_;
    std::int64_t every_weeks_;
    std::chrono::local_days first_monday_ = {};  // In the week from which weeks are counted.
    std::optional<TimePoint> starts_at_;
    std::optional<TimePoint> ends_at_;
};

}  // namespace parley::schedule
