// Finds the occurrences of a cron pattern, day by day of the local calendar. Clock changes can
// change the order of instants, so those of such a day are held back until no later day can precede
// them.
#pragma once

#include "schedule/schedule.hpp"

#include <map>

namespace parley::schedule {

class Search {
public:
    Search(const Schedule& schedule, const Cron& cron, TimePoint after, std::size_t most);

    std::vector<Occurrence> run();

private:
    bool enough() const { return ended_ || found_.size() >= most_; }
    std::optional<std::chrono::local_days> next_day() const;
    TimePoint earliest_of(std::chrono::local_days day) const;
    void look_at(std::chrono::local_days day);
    void look_at_plain(std::chrono::local_days day, std::chrono::seconds offset);
    void look_at_change(std::chrono::local_days day);
    void add_moments(LocalTime local);
    void wait_for_turn(TimePoint at, Note note);
    void settle_before(TimePoint bound);
    void settle(const Occurrence& occurrence);

    const Schedule& schedule_;
    const Cron& cron_;
    TimePoint last_;  // Only later instants are returned.
    std::size_t most_;
    std::chrono::local_days day_;  // The next one to look at.
    std::map<TimePoint, Note> waiting_;
    std::vector<Occurrence> found_;
    bool ended_ = false;
};

}  // namespace parley::schedule
