#include "store/memory/audit.hpp"

#include "store/times.hpp"

#include <algorithm>

namespace parley::store {
namespace {

bool is_wanted(const AuditEvent& event, const AuditFilter& filter)
{
    return filter.actor.value_or(event.actor) == event.actor &&
           filter.action.value_or(event.action) == event.action &&
           filter.target.value_or(event.target) == event.target &&
           (!filter.since || event.at >= to_the_millisecond(*filter.since)) &&
           (!filter.before || event.at < to_the_millisecond(*filter.before));
}

}  // namespace

Task<Result<>> MemoryAudit::append(AuditEvent event)
{
    const std::lock_guard lock(mutex_);
    if (!ids_.insert(event.id).second)
        co_return Error{Errc::conflict, "There is an audit event with this id."};
    events_.push_back(std::move(event));
    co_return Result<>();
}

Task<Result<AuditEvent>> MemoryAudit::find(std::string id)
{
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(events_, id, &AuditEvent::id);
    if (found == events_.end()) co_return not_found("The audit event");
    co_return *found;
}

Task<Result<Page<AuditEvent, AuditLog::Position>>> MemoryAudit::list(std::optional<Position> before,
                                                                     std::size_t limit,
                                                                     AuditFilter filter)
{
    const std::lock_guard lock(mutex_);
    const auto size = static_cast<Position>(events_.size());
    // The position of an event is its place in the order of storing, from 1 on.
    Position at = std::clamp<Position>(before.value_or(size + 1), 1, size + 1);
    Page<AuditEvent, Position> page;
    Position last = at;
    while (--at >= 1) {
        const AuditEvent& event = events_[static_cast<std::size_t>(at - 1)];
        if (!is_wanted(event, filter)) continue;
        if (page.items.size() == limit) {
            page.next = last;
            break;
        }
        last = at;
        page.items.push_back(event);
    }
    co_return page;
}

void MemoryAudit::note(std::optional<AuditEvent> event)
{
    if (event) note(std::vector{std::move(*event)});
}

void MemoryAudit::note(std::vector<AuditEvent> events)
{
    const std::lock_guard lock(mutex_);
    for (AuditEvent& event : events) {
        ids_.insert(event.id);
        events_.push_back(std::move(event));
    }
}

}  // namespace parley::store
