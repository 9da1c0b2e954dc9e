// Due times of several automations come into the ledger together, in the order of their times:
// lists show rows in the order in which they came in.
#pragma once

#include "store/sql/ledger_entry.hpp"

#include <deque>
#include <map>

namespace parley::store::sql {

// An automation and its rows that are due. Must not be moved: its parts refer to each other.
struct DueRows {
    // `older_until`: as for RowEntry. The entry must outlive it.
    DueRows(Connection& connection, KeptAutomation automation, const DueEntry& due_entry,
            const std::optional<std::int64_t>& older_until = {})
        : kept(std::move(automation)), entry(connection, kept, older_until), due(due_entry)
    {
    }
    DueRows(const DueRows&) = delete;
    DueRows& operator=(const DueRows&) = delete;

    KeptAutomation kept;
    RowEntry entry;
    const DueEntry& due;
    EnteredRows entered = {.are_new = false};  // Set by enter_in_order().
};

// Events of several automations, told to each owner at once.
using EventsOfOwners = std::map<Owner, RowEvents>;

// Enters all rows of all of them, and notes that their due times are in the ledger.
void enter_in_order(Connection& connection, std::deque<DueRows>& all, EventsOfOwners& events);

}  // namespace parley::store::sql
