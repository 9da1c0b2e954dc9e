// Automations.
#pragma once

#include "store/automations.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlAutomations final : public Automations {
public:
    SqlAutomations(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<Created>> create(Automation automation, std::size_t most,
                                 std::optional<KeyClaim> key, Cause cause,
                                 std::optional<AuditEvent> audit) override;
    Task<Result<std::optional<Automation>>> find_replay(Owner owner, KeyClaim key) override;
    Task<Result<Automation>> find(Owner owner, std::string id) override;
    Task<Result<Page<Automation, Position>>> list(Owner owner, AutomationFilter filter,
                                                  std::optional<Position> after,
                                                  std::size_t limit) override;
    Task<Result<Automation>> change(AutomationChange change) override;
    Task<Result<std::vector<std::string>>> remove(Owner owner, std::string id,
                                                  std::optional<std::int64_t> expected,
                                                  TimePoint now, Cause cause,
                                                  std::optional<AuditEvent> audit) override;
    Task<Result<bool>> sweep_removed(std::size_t most) override;
    Task<Result<DueAutomation>> find_hook(std::string hook) override;
    Task<Result<std::vector<DueAutomation>>> due(TimePoint until, std::size_t most) override;
    Task<Result<std::optional<TimePoint>>> next_due() override;
    Task<Result<Page<Automation, Position>>> scheduled(std::optional<Position> after,
                                                       std::size_t limit) override;
    Task<Result<std::vector<Owner>>> listening_owners() override;
    Task<Result<std::vector<DueAutomation>>> listeners(Owner owner) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
