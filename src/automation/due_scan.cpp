#include "automation/due_scan.hpp"

#include <algorithm>

namespace parley::automation {
namespace {

constexpr std::size_t most_times_per_step = 100;

}  // namespace

bool DueScan::step()
{
    const auto times = schedule_.occurrences(at_, times_per_step_);
    times_per_step_ = std::min(times_per_step_ * 4, most_times_per_step);
    for (const schedule::Occurrence& each : times) {
        if (each.at > now_) {
            next_ = each.at;
            return true;
        }
        at_ = each.at;
        if (each.at >= now_ - late)
            on_time_.push_back(each.at);
        else
            note_missed(each.at);
    }
    return times.empty();
}

void DueScan::note_missed(TimePoint at)
{
    missed_.push_back(at);
    if (missed_.size() <= 2 * most_rows) return;
    ++older_;
    newest_older_ = missed_.front();
    missed_.pop_front();
}

std::vector<DueTime> DueScan::times() const
{
    std::size_t to_run = 0;
    if (rule_.which == CatchUp::latest) to_run = 1;
    if (rule_.which == CatchUp::all) to_run = most_rows;
    const auto is_within = [&](TimePoint at) { return at >= now_ - rule_.window; };
    // The newest ones are run, the others are missed: the newest of them one by one.
    std::size_t first_run = missed_.size();
    while (to_run > 0 && first_run > 0 && is_within(missed_[first_run - 1])) {
        --first_run;
        --to_run;
    }
    const std::size_t first_shown = first_run > most_rows ? first_run - most_rows : 0;
    std::vector<DueTime> rows;
    if (const auto more = older_ + static_cast<std::int64_t>(first_shown); more > 0)
        rows.push_back({.at = first_shown > 0 ? missed_[first_shown - 1] : newest_older_,
                        .is_missed = true,
                        .missed_count = more});
    for (std::size_t i = first_shown; i < missed_.size(); ++i)
        rows.push_back({.at = missed_[i], .is_missed = i < first_run});
    for (const TimePoint at : on_time_) rows.push_back({.at = at});
    return rows;
}

}  // namespace parley::automation
