// The audit log in memory.
#pragma once

#include "store/audit.hpp"

#include <mutex>
#include <set>
#include <vector>

namespace parley::store {

class MemoryAudit final : public AuditLog {
public:
    Task<Result<>> append(AuditEvent event) override;
    Task<Result<AuditEvent>> find(std::string id) override;
    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before, std::size_t limit,
                                                  AuditFilter filter) override;

    // For use cases that change something: called once nothing can go wrong any more.
    void note(std::optional<AuditEvent> event);
    void note(std::vector<AuditEvent> events);

private:
    std::mutex mutex_;
    std::vector<AuditEvent> events_;
    std::set<std::string> ids_;
};

}  // namespace parley::store
