#include "store/postgres/postgres_store.hpp"

#include "store/postgres/trial_for_tests.hpp"

namespace parley::store {
namespace {

class NeedsPostgres final : public testing::Environment {
public:
    void SetUp() override
    {
        if (!postgres::TestServer::instance().is_there())
            GTEST_SKIP() << "PostgreSQL is not installed and cannot be installed here "
                            "(tools/postgres): nothing of store/postgres was tested.";
    }
};

const auto* const needs_postgres = testing::AddGlobalTestEnvironment(new NeedsPostgres);

}  // namespace

std::unique_ptr<StoreOnTrial> store_on_trial() { return std::make_unique<PostgresStoreOnTrial>(); }

}  // namespace parley::store
