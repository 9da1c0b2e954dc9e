#include "store/sql/driver.hpp"

#include "store/sql/accounts.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/automations.hpp"
#include "store/sql/deliveries.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/identities.hpp"
#include "store/sql/keys.hpp"
#include "store/sql/ledger.hpp"
#include "store/sql/messages.hpp"
#include "store/sql/moving.hpp"
#include "store/sql/runs.hpp"
#include "store/sql/search.hpp"
#include "store/sql/sessions.hpp"
#include "store/sql/tokens.hpp"
#include "store/sql/usage.hpp"
#include "store/sql/webhooks.hpp"

namespace parley::store::sql {
namespace {

class SqlStore final : public Store {
public:
    explicit SqlStore(std::unique_ptr<Driver> driver) : driver_(std::move(driver)) {}

    Accounts& accounts() override { return accounts_; }
    Identities& identities() override { return identities_; }
    Tokens& tokens() override { return tokens_; }
    AuditLog& audit() override { return audit_; }
    Keys& keys() override { return keys_; }
    Sessions& sessions() override { return sessions_; }
    Messages& messages() override { return messages_; }
    Runs& runs() override { return runs_; }
    Automations& automations() override { return automations_; }
    Ledger& ledger() override { return ledger_; }
    EventLog& events() override { return events_; }
    Webhooks& webhooks() override { return webhooks_; }
    Deliveries& deliveries() override { return deliveries_; }
    Search& search() override { return search_; }
    UsageLog& usage() override { return usage_; }
    Moving& moving() override { return moving_; }

    Task<Result<std::uint64_t>> back_up(std::filesystem::path file) override
    {
        return driver_->back_up(std::move(file));
    }
    Result<> can_write() const override { return driver_->can_write(); }
    void end_soon() override { driver_->end_soon(); }
    Figures figures() const override { return driver_->figures(); }

private:
    const std::unique_ptr<Driver> driver_;
    SqlAccounts accounts_{driver_->writes(), driver_->reads()};
    SqlIdentities identities_{driver_->writes(), driver_->reads()};
    SqlTokens tokens_{driver_->writes(), driver_->reads()};
    SqlAudit audit_{driver_->writes(), driver_->reads()};
    SqlKeys keys_{driver_->writes()};
    SqlSessions sessions_{driver_->writes(), driver_->reads(), driver_->long_reads()};
    SqlMessages messages_{driver_->reads()};
    SqlRuns runs_{driver_->writes(), driver_->reads()};
    SqlAutomations automations_{driver_->writes(), driver_->reads()};
    SqlLedger ledger_{driver_->writes(), driver_->reads()};
    SqlWebhooks webhooks_{driver_->writes(), driver_->reads()};
    SqlDeliveries deliveries_{driver_->writes(), driver_->reads()};
    SqlUsage usage_{driver_->writes(), driver_->reads()};
    IndexBacklog backlog_;
    SqlSearch search_{driver_->writes(), driver_->reads(), driver_->searches(), backlog_};
    SqlMoving moving_{driver_->writes(), driver_->long_reads(), backlog_};
    SqlEventLog events_{driver_->writes(), driver_->reads(), driver_->events_signal()};
};

}  // namespace

std::unique_ptr<Store> make_store(std::unique_ptr<Driver> driver)
{
    return std::make_unique<SqlStore>(std::move(driver));
}

}  // namespace parley::store::sql
