// Webhooks.
#pragma once

#include "store/sql/jobs.hpp"
#include "store/webhooks.hpp"

namespace parley::store::sql {

class SqlWebhooks final : public Webhooks {
public:
    SqlWebhooks(JobQueue& writes, JobQueue& reads) : writes_(writes), reads_(reads) {}

    Task<Result<Created>> create(Webhook webhook, std::size_t most, std::optional<KeyClaim> key,
                                 Cause cause, std::optional<AuditEvent> audit) override;
    Task<Result<std::optional<Webhook>>> find_replay(Owner owner, KeyClaim key) override;
    Task<Result<Webhook>> find(Owner owner, std::string id) override;
    Task<Result<Page<Webhook, Position>>> list(Owner owner, std::optional<Position> after,
                                               std::size_t limit) override;
    Task<Result<Webhook>> change(WebhookChange change) override;
    Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                          TimePoint now, Cause cause, std::optional<AuditEvent> audit) override;
    Task<Result<Page<ActiveWebhook, Position>>> active(std::optional<Position> after,
                                                       std::size_t limit) override;
    Task<Result<std::vector<ActiveWebhook>>> giving_up(std::size_t most) override;

private:
    JobQueue& writes_;
    JobQueue& reads_;
};

}  // namespace parley::store::sql
