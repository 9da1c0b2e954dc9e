// Usage by user, model and day.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/usage.hpp"

namespace parley::store::sql {

class SqlUsage final : public UsageLog {
public:
    SqlUsage(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<>> add(std::vector<DailyUsage> used, std::vector<std::string> settled) override;
    Task<Result<>> reserve(Reservation wanted) override;
    Task<Result<Page<DailyUsage, Position>>> list(UsageFilter filter, std::optional<Position> after,
                                                  std::size_t limit) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

// In the transaction of the use case that ends an answer.
void add_usage(Connection& connection, const DailyUsage& used);

}  // namespace parley::store::sql
