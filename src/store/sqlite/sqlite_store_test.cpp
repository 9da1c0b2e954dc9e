#include "store/sqlite/sqlite_store.hpp"

#include "store/sqlite/directory_for_tests.hpp"
#include "store/store_contract.hpp"

namespace parley::store {
namespace {

struct MakesSqliteStore {
    static constexpr bool keeps = true;
    sqlite::TestDirectory directory;
    std::unique_ptr<Store> open()
    {
        return std::move(open_sqlite_store({.file = directory / "parley.db"})).value();
    }
};
INSTANTIATE_STORE_CONTRACTS(Sqlite, MakesSqliteStore);

}  // namespace
}  // namespace parley::store
