#include "automation/clock_steps.hpp"

#include <algorithm>
#include <optional>

namespace parley::automation {
namespace {

// When all steps but the last one end.
std::vector<TimePoint> ends_of_steps(const store::TestClockChange& whole, std::size_t most_rows)
{
    std::vector<TimePoint> times;
    for (const store::DueEntry& entry : whole.entries)
        for (const store::AutomationRun& row : entry.rows) times.push_back(row.scheduled_for);
    std::ranges::sort(times);
    std::vector<TimePoint> ends;
    for (std::size_t i = most_rows; i < times.size(); i += most_rows)
        if (ends.empty() || ends.back() < times[i - 1]) ends.push_back(times[i - 1]);
    return ends;
}

// The due times of one automation, divided among the steps.
class Entry {
public:
    explicit Entry(const store::DueEntry& whole)
        : whole_(whole), seen_until_(whole.seen_until), next_(whole.rows.begin())
    {
    }

    // Nothing if it has no rows up to then. Without an end: all that is left, also if there are
    // none.
    std::optional<store::DueEntry> take(std::optional<TimePoint> end)
    {
        const auto first = next_;
        while (next_ != whole_.rows.end() && (!end || next_->scheduled_for <= *end)) ++next_;
        if (has_ended_ || (end && first == next_)) return std::nullopt;
        const bool is_all = next_ == whole_.rows.end();
        store::DueEntry taken{.automation = whole_.automation,
                              .revision = whole_.revision,
                              .seen_until = seen_until_,
                              .new_until = end.value_or(whole_.new_until),
                              .next_at = is_all ? whole_.next_at : next_->scheduled_for,
                              .has_ended = is_all && whole_.has_ended,
                              .rows = {first, next_},
                              .now = whole_.now};
        seen_until_ = taken.new_until;
        has_ended_ = taken.has_ended;
        return taken;
    }

private:
    const store::DueEntry& whole_;
    TimePoint seen_until_;
    std::vector<store::AutomationRun>::const_iterator next_;
    bool has_ended_ = false;
};

}  // namespace

std::vector<store::TestClockChange> in_steps(const store::TestClockChange& whole,
                                             std::size_t most_rows)
{
    std::vector<Entry> entries(whole.entries.begin(), whole.entries.end());
    std::vector<store::TestClockChange> steps;
    std::optional<TimePoint> seen = whole.seen;
    const auto add = [&](std::optional<TimePoint> end, std::optional<TimePoint> to) {
        store::TestClockChange step{.owner = whole.owner, .seen = seen, .to = to, .now = whole.now};
        for (Entry& each : entries)
            if (auto taken = each.take(end)) step.entries.push_back(std::move(*taken));
        steps.push_back(std::move(step));
        seen = to;
    };
    for (const TimePoint end : ends_of_steps(whole, most_rows)) add(end, end);
    add(std::nullopt, whole.to);
    return steps;
}

}  // namespace parley::automation
