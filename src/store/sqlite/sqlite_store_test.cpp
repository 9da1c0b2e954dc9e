#include "store/sqlite/sqlite_store.hpp"

#include "store/contract_fixture.hpp"
#include "store/sqlite/directory_for_tests.hpp"

namespace parley::store {
namespace {

class SqliteStoreOnTrial final : public StoreOnTrial {
public:
    std::unique_ptr<Store> open() override
    {
        return std::move(open_sqlite_store({.file = directory_ / "parley.db"})).value();
    }
    bool keeps() const override { return true; }

private:
    sqlite::TestDirectory directory_;
};

}  // namespace

std::unique_ptr<StoreOnTrial> store_on_trial() { return std::make_unique<SqliteStoreOnTrial>(); }

}  // namespace parley::store
