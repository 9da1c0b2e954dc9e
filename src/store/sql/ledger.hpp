// The ledger of automations.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/jobs.hpp"
#include "store/user_turns.hpp"

namespace parley::store::sql {

class SqlLedger final : public Ledger {
public:
    SqlLedger(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<std::vector<EnteredRows>>> enter(std::vector<DueEntry> entries) override;
    Task<Result<std::optional<EnteredRows>>> hear(HeardEvents heard) override;
    Task<Result<EnteredRows>> add(Owner owner, std::vector<AutomationRun> rows, Cause cause,
                                  std::optional<KeyClaim> claim) override;
    Task<Result<AutomationRun>> find(Owner owner, std::string id) override;
    Task<Result<std::optional<AutomationRun>>> find_by_key(Owner owner, RowKey key) override;
    Task<Result<std::set<std::string>>> known_keys(Owner owner, std::string automation,
                                                   std::vector<std::string> keys,
                                                   std::optional<KeyClaim> claim) override;
    Task<Result<Page<AutomationRun, Position>>> list(Owner owner, AutomationRunFilter filter,
                                                     std::optional<Position> after,
                                                     std::size_t limit) override;
    Task<Result<std::vector<AutomationRun>>> startable(TimePoint now, std::size_t most,
                                                       std::string held) override;
    Task<Result<std::optional<TimePoint>>> next_start(TimePoint after) override;
    Task<Result<std::vector<AutomationRun>>> running() override;
    Task<Result<std::vector<RunOf>>> abandoned_runs() override;
    Task<Result<std::vector<Start>>> starts_since(TimePoint time) override;
    Task<Result<>> refuse(Refusal refusal) override;
    Task<Result<Cancelled>> cancel(Owner owner, std::string id, TimePoint now,
                                   Cause cause) override;
    Task<Result<AutomationRun>> retry(Owner owner, std::string id, TimePoint now, Cause cause,
                                      std::optional<std::string> token) override;
    Task<Result<std::optional<TimePoint>>> test_clock(Owner owner) override;
    Task<Result<EnteredRows>> set_test_clock(TestClockChange change) override;
    Task<Result<std::vector<SeenSession>>> surplus_sessions(std::string automation,
                                                            std::size_t keep) override;
    Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
    UserTurns turns_;  // A batch is a long change, and others of its user wait for the same lock.
};

}  // namespace parley::store::sql
