#include "store/memory/audit.hpp"

#include <algorithm>

namespace parley::store {

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
                                                                     std::size_t limit)
{
    const std::lock_guard lock(mutex_);
    const auto size = static_cast<Position>(events_.size());
    // The position of an event is its place in the order of storing, from 1 on.
    Position at = std::clamp<Position>(before.value_or(size + 1), 1, size + 1);
    Page<AuditEvent, Position> page;
    while (at > 1 && page.items.size() < limit)
        page.items.push_back(events_[static_cast<std::size_t>(--at - 1)]);
    if (at > 1 && !page.items.empty()) page.next = at;
    co_return page;
}

void MemoryAudit::note(std::optional<AuditEvent> event)
{
    if (!event) return;
    const std::lock_guard lock(mutex_);
    ids_.insert(event->id);
    events_.push_back(std::move(*event));
}

}  // namespace parley::store
