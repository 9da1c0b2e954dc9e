#include "store/memory/memory_store.hpp"

#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class MemoryStoreOnTrial final : public StoreOnTrial {
public:
    std::unique_ptr<Store> open() override { return make_memory_store(); }
    bool keeps() const override { return false; }
};

TEST(MemoryStore, SaysThatItCannotBeBackedUp)
{
    const auto store = make_memory_store();
    EXPECT_EQ(run(store->back_up("/nowhere")).error().code, Errc::not_implemented);
}

}  // namespace

std::unique_ptr<StoreOnTrial> store_on_trial() { return std::make_unique<MemoryStoreOnTrial>(); }

}  // namespace parley::store
