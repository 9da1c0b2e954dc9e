#include "schedule/search.hpp"

#include <algorithm>

namespace parley::schedule {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;

// A pattern without an occurrence in that time has none: 29 February is never further away.
constexpr days patience = days(9 * 366);

// TimePoint ends in 2262 and begins in 1677. There is room on both sides to reckon.
constexpr local_days end_of_days = local_days(std::chrono::year(2262) / 1 / 1);
constexpr TimePoint earliest_start = std::chrono::sys_days(std::chrono::year(1700) / 1 / 1);
constexpr TimePoint latest_start = std::chrono::sys_days(std::chrono::year(2262) / 1 / 1);

// The largest clock change that there was is a day (Samoa, 2011).
constexpr days largest_change = days(2);

}  // namespace

Search::Search(const Schedule& schedule, const Cron& cron, TimePoint after, std::size_t most)
    : schedule_(schedule), cron_(cron), most_(most)
{
    last_ = std::clamp(after, earliest_start, latest_start);
    if (schedule.starts_at_ && *schedule.starts_at_ > last_)
        last_ = std::min(*schedule.starts_at_ - TimePoint::duration(1), latest_start);
    day_ = std::chrono::floor<days>(schedule_.zone_.local(last_)) - largest_change;
}

std::vector<Occurrence> Search::run()
{
    while (!enough()) {
        const auto day = next_day();
        if (!day && waiting_.empty()) break;
        settle_before(day ? earliest_of(*day) : TimePoint::max());
        if (!day || enough()) continue;
        look_at(*day);
        day_ = *day + days(1);
    }
    return std::move(found_);
}

std::optional<local_days> Search::next_day() const
{
    const local_days until =
        std::min(std::chrono::floor<days>(schedule_.zone_.local(last_)) + patience, end_of_days);
    for (local_days day = day_; day < until;) {
        const std::chrono::year_month_day date(day);
        if (!cron_.has_month(date.month())) {
            day = local_days((date.year() / date.month() + std::chrono::months(1)) / 1);
            continue;
        }
        if (cron_.has_day(day) && schedule_.has_week_of(day)) return day;
        day += days(1);
    }
    return std::nullopt;
}

// No local time of that day, or of a later one, stands for an earlier instant.
TimePoint Search::earliest_of(local_days day) const
{
    const Moments midnight = schedule_.zone_.moments(day);
    return midnight.kind == Moments::Kind::skipped ? midnight.change : midnight.first;
}

void Search::look_at(local_days day)
{
    if (const auto offset = schedule_.zone_.offset_throughout(day))
        look_at_plain(day, *offset);
    else
        look_at_change(day);
}

void Search::look_at_plain(local_days day, std::chrono::seconds offset)
{
    const TimePoint midnight = TimePoint(day.time_since_epoch() - offset);
    if (midnight + days(1) <= last_) return;
    for (int hour = 0; hour < 24; ++hour) {
        if (!cron_.has_hour(hour)) continue;
        for (int minute = 0; minute < 60 && !enough(); ++minute) {
            if (!cron_.has_minute(minute)) continue;
            const TimePoint at = midnight + hours(hour) + minutes(minute);
            if (waiting_.empty())
                settle({at, Note::none});
            else
                wait_for_turn(at, Note::none);
        }
    }
}

void Search::look_at_change(local_days day)
{
    for (int hour = 0; hour < 24; ++hour) {
        if (!cron_.has_hour(hour)) continue;
        for (int minute = 0; minute < 60; ++minute)
            if (cron_.has_minute(minute)) add_moments(day + hours(hour) + minutes(minute));
    }
}

void Search::add_moments(LocalTime local)
{
    const Moments moments = schedule_.zone_.moments(local);
    const bool real_time = cron_.has_every_hour();
    switch (moments.kind) {
        case Moments::Kind::once:
            wait_for_turn(moments.first, Note::none);
            break;
        case Moments::Kind::skipped:
            if (!real_time) wait_for_turn(moments.first, Note::moved_by_clock_change);
            break;
        case Moments::Kind::twice:
            wait_for_turn(moments.first, real_time ? Note::none : Note::first_of_two);
            if (real_time) wait_for_turn(moments.second, Note::none);
            break;
    }
}

void Search::wait_for_turn(TimePoint at, Note note)
{
    const auto [same, is_new] = waiting_.emplace(at, note);
    // It is due then anyway: a time that is moved there changes nothing.
    if (!is_new && note != Note::moved_by_clock_change) same->second = note;
}

void Search::settle_before(TimePoint bound)
{
    while (!waiting_.empty() && waiting_.begin()->first < bound && !enough()) {
        const auto [at, note] = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        settle({at, note});
    }
}

void Search::settle(const Occurrence& occurrence)
{
    if (occurrence.at <= last_) return;
    if (schedule_.ends_at_ && occurrence.at > *schedule_.ends_at_) {
        ended_ = true;
        return;
    }
    last_ = occurrence.at;
    found_.push_back(occurrence);
}

}  // namespace parley::schedule
