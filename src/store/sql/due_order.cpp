#include "store/sql/due_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parley::store::sql {

void enter_in_order(Connection& connection, std::deque<DueRows>& all, EventsOfOwners& events)
{
    struct Turn {
        TimePoint at;
        std::size_t number;  // The index of its automation.
        const AutomationRun* row;
    };
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const AutomationRun& row : all[i].due.rows)
            turns.push_back({row.scheduled_for, i, &row});
    std::ranges::sort(turns, {}, [](const Turn& turn) { return std::tuple(turn.at, turn.number); });
    for (const Turn& turn : turns) {
        DueRows& of = all[turn.number];
        auto inserted = of.entry.insert(*turn.row, events[of.kept.automation.owner]);
        if (inserted) of.entered.rows.push_back(std::move(*inserted));
    }
    for (DueRows& each : all) {
        each.entered.are_new = !each.entered.rows.empty();
        each.entered.to_cancel = std::move(each.entry.to_cancel());
        advance(connection, each.kept.position, each.due);
    }
}

}  // namespace parley::store::sql
