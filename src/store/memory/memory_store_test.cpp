#include "store/memory/memory_store.hpp"

#include "store/store_contract.hpp"

namespace parley::store {
namespace {

struct MakesMemoryStore {
    static constexpr bool keeps = false;
    std::unique_ptr<Store> open() { return make_memory_store(); }
};
INSTANTIATE_STORE_CONTRACTS(Memory, MakesMemoryStore);

TEST(MemoryStore, SaysThatItCannotBeBackedUp)
{
    const auto store = make_memory_store();
    EXPECT_EQ(run(store->back_up("/nowhere")).error().code, Errc::not_implemented);
}

}  // namespace
}  // namespace parley::store
