#include "schedule/schedule.hpp"

#include "schedule/search.hpp"

#include <utility>

namespace parley::schedule {
namespace {

constexpr std::int64_t most_weeks = 52;

std::chrono::local_days monday_of(LocalTime local)
{
    const auto day = std::chrono::floor<std::chrono::days>(local);
    return day - (std::chrono::weekday(day) - std::chrono::Monday);
}

// Everything that can be said without a pattern and a zone.
void check_members(const ScheduleRequest& request, Faults& faults)
{
    if (request.cron.has_value() == request.at.has_value())
        faults.push_back({"/cron", request.cron ? "not_allowed" : "required",
                          "exactly one of cron and at must be given"});
    if (request.every_weeks < 1 || request.every_weeks > most_weeks)
        faults.push_back(
            {"/every_weeks", "out_of_range", "must be from 1 to " + std::to_string(most_weeks)});
    if (request.every_weeks != 1 && !request.starts_at)
        faults.push_back(
            {"/starts_at", "required", "is required with every_weeks: weeks are counted from it"});
    if (request.every_weeks != 1 && request.at)
        faults.push_back({"/every_weeks", "not_allowed",
                          "must be 1 if at is given: a single time is not repeated"});
    if (request.starts_at && request.ends_at && *request.ends_at < *request.starts_at)
        faults.push_back({"/ends_at", "out_of_range", "must not be before starts_at"});
}

}  // namespace

std::optional<std::string_view> to_text(Note note)
{
    switch (note) {
        case Note::moved_by_clock_change:
            return "moved_by_clock_change";
        case Note::first_of_two:
            return "first_of_two";
        case Note::none:
            break;
    }
    return std::nullopt;
}

Result<Schedule> Schedule::make(const ScheduleRequest& request, const Zones& zones)
{
    Faults faults;
    check_members(request, faults);
    std::optional<Cron> cron;
    if (request.cron) {
        auto parsed = Cron::parse(*request.cron);
        if (parsed)
            cron = *parsed;
        else
            faults.push_back({"/cron", "invalid_cron", parsed.error().message});
    }
    if (!request.time_zone) {
        faults.push_back({"/time_zone", "required", "a schedule needs a time zone"});
        return validation_failed(std::move(faults));
    }
    auto zone = zones.find(*request.time_zone);
    if (!zone) faults.push_back({"/time_zone", "unknown_time_zone", zone.error().message});
    if (!faults.empty()) return validation_failed(std::move(faults));
    return Schedule(request, cron, std::move(*zone));
}

Schedule::Schedule(const ScheduleRequest& request, const std::optional<Cron>& cron, Zone zone)
    : cron_(cron),
      at_(request.at),
      zone_(std::move(zone)),
      every_weeks_(request.every_weeks),
      starts_at_(request.starts_at),
      ends_at_(request.ends_at)
{
    if (starts_at_) first_monday_ = monday_of(zone_.local(*starts_at_));
}

bool Schedule::has_week_of(std::chrono::local_days day) const
{
    if (every_weeks_ == 1) return true;
    const auto since = day - first_monday_;
    return since.count() >= 0 && since.count() / 7 % every_weeks_ == 0;
}

std::vector<Occurrence> Schedule::occurrences(TimePoint after, std::size_t most) const
{
    if (cron_) return Search(*this, *cron_, after, most).run();
    if (!at_) return {};
    const bool too_early = *at_ <= after || (starts_at_ && *at_ < *starts_at_);
    const bool too_late = ends_at_ && *at_ > *ends_at_;
    if (too_early || too_late || most == 0) return {};
    return {{*at_, Note::none}};
}

std::optional<TimePoint> Schedule::next(TimePoint after) const
{
    const auto found = occurrences(after, 1);
    if (found.empty()) return std::nullopt;
    return found.front().at;
}

Result<> Schedule::fires_after(TimePoint now) const
{
    if (next(now)) return {};
    return validation_failed({{at_ ? "/at" : "/cron", "never_fires",
                               at_ ? "is in the past, or not between starts_at and ends_at"
                                   : "no time matches within nine years, or before ends_at"}});
}

}  // namespace parley::schedule
