// The store that the contract tests try: one server, or two in turn on the same database.
#pragma once

#include "store/contract_fixture.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

namespace parley::store {

// Two servers on the same database, used in turn.
class StoresInTurn final : public Store {
public:
    explicit StoresInTurn(const postgres::Options& options)
        : stores_{std::move(open_postgres_store(options)).value(),
                  std::move(open_postgres_store(options)).value()}
    {
    }

    Accounts& accounts() override { return next().accounts(); }
    Tokens& tokens() override { return next().tokens(); }
    AuditLog& audit() override { return next().audit(); }
    Keys& keys() override { return next().keys(); }
    Sessions& sessions() override { return next().sessions(); }
    Identities& identities() override { return next().identities(); }
    Messages& messages() override { return next().messages(); }
    Runs& runs() override { return next().runs(); }
    Automations& automations() override { return next().automations(); }
    Ledger& ledger() override { return next().ledger(); }
    Webhooks& webhooks() override { return next().webhooks(); }
    Deliveries& deliveries() override { return next().deliveries(); }
    Search& search() override { return next().search(); }
    UsageLog& usage() override { return next().usage(); }
    Moving& moving() override { return next().moving(); }
    EventLog& events() override { return stores_[0]->events(); }  // Wakes followers of one server.
    Task<Result<std::uint64_t>> back_up(std::filesystem::path file) override
    {
        return next().back_up(std::move(file));
    }
    Result<> can_write() const override { return stores_[0]->can_write(); }
    Figures figures() const override { return stores_[0]->figures(); }

private:
    Store& next() { return *stores_.at(calls_++ % stores_.size()); }

    std::array<std::unique_ptr<Store>, 2> stores_;
    std::size_t calls_ = 0;
};

class PostgresStoreOnTrial final : public StoreOnTrial {
public:
    ~PostgresStoreOnTrial() override { postgres::TestServer::instance().give_back(url_); }

    std::unique_ptr<Store> open() override
    {
        // A busy machine may delay the server for long, which these tests are not about.
        const postgres::Options options{
            .url = url_, .connections = 2, .patience = std::chrono::minutes(1)};
        if (std::getenv("PARLEY_STORES_IN_TURN")) return std::make_unique<StoresInTurn>(options);
        return std::move(open_postgres_store(options)).value();
    }
    bool keeps() const override { return true; }
    const std::string& url() const { return url_; }

private:
    const std::string url_ = postgres::TestServer::instance().take_tables();
};

}  // namespace parley::store
