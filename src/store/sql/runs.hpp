// Runs.
#pragma once

#include "store/runs.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlRuns final : public Runs {
public:
    SqlRuns(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<BegunRun>> begin_run(NewRun run) override;
    Task<Result<>> start_run(std::string run, TimePoint at, std::int64_t replica) override;
    Task<Result<>> finish_run(FinishedRun finished) override;
    Task<Result<std::vector<RunWithMessages>>> claim_runs(std::int64_t replica,
                                                          std::size_t servers) override;
    Task<Result<std::optional<RunWithMessages>>> take_turn(TurnRequest wanted) override;
    Task<Result<>> ask_to_cancel(std::string run) override;
    Task<Result<RunWithMessages>> find_run(Owner owner, std::string id) override;
    Task<Result<RemovedRun>> remove_run(Owner owner, std::string id, TimePoint now,
                                        Cause cause) override;
    Task<Result<std::vector<RunWithMessages>>> unfinished_runs() override;
    Task<Result<WritingRun>> find_writing_run(Owner owner, std::string message) override;
    Task<Result<Page<RunWithMessages, Position>>> list_runs(Owner owner, RunFilter filter,
                                                            std::optional<Position> after,
                                                            std::size_t limit) override;
    Task<Result<std::string>> events(std::string run) override;
    Task<Result<std::vector<std::string>>> old_frames(std::string run, std::int64_t after,
                                                      std::size_t max_bytes) override;
    Task<Result<bool>> is_replay(Owner owner, KeyClaim key) override;
    Task<Result<std::optional<RunWithMessages>>> find_replay(Owner owner, KeyClaim key) override;
    Task<Result<std::size_t>> sweep_runs(TimePoint events_before, TimePoint now,
                                         std::size_t most) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
