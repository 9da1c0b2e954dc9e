// Deliveries of events to webhooks.
#pragma once

#include "store/deliveries.hpp"
#include "store/sql/jobs.hpp"

namespace parley::store::sql {

class SqlDeliveries final : public Deliveries {
public:
    SqlDeliveries(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<bool>> dispatch(Dispatch dispatch) override;
    Task<Result<Delivery>> add(Owner owner, Delivery delivery) override;
    Task<Result<std::optional<Webhook>>> endpoint(std::string webhook) override;
    Task<Result<DueDeliveries>> due(std::string webhook, bool ordered, TimePoint now,
                                    std::size_t most) override;
    Task<Result<std::optional<Webhook>>> settle(DeliveryEnd end) override;
    Task<Result<bool>> give_up(std::string webhook, TimePoint now) override;
    Task<Result<Delivery>> find(Owner owner, std::string webhook, std::string id) override;
    Task<Result<Page<Delivery, Position>>> list(Owner owner, std::string webhook,
                                                std::optional<DeliveryStatus> status,
                                                std::optional<Position> after,
                                                std::size_t limit) override;
    Task<Result<Delivery>> redeliver(Owner owner, std::string webhook, std::string id) override;
    Task<Result<Replayed>> replay(Replay replay) override;
    Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
