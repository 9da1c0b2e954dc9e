#include "store/sqlite/memory_store.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

TEST(MemoryStore, ForgetsEverythingWhenItEnds)
{
    const AuditEvent event{.id = "evt_1",
                           .at = TimePoint(),
                           .actor = "a",
                           .action = "b",
                           .target = "c",
                           .address = "d",
                           .request_id = "e"};
    for (int opened = 0; opened < 2; ++opened) {
        const auto store = make_memory_store();
        EXPECT_EQ(block_on(store->audit().find("evt_1")).error().code, Errc::not_found);
        ASSERT_TRUE(block_on(store->audit().append(event)));
        EXPECT_EQ(block_on(store->audit().append(event)).error().code, Errc::conflict);
        EXPECT_EQ(block_on(store->audit().find("evt_1")).value().target, "c");
    }
}

TEST(MemoryStore, IsNotSharedWithAnother)
{
    const auto one = make_memory_store();
    const auto other = make_memory_store();
    EXPECT_NE(block_on(one->keys().key_for("x")).value().reveal(),
              block_on(other->keys().key_for("x")).value().reveal());
}

TEST(MemoryStore, SaysThatItCannotBeBackedUp)
{
    const auto store = make_memory_store();
    EXPECT_EQ(block_on(store->back_up("/nowhere")).error().code, Errc::not_implemented);
}

}  // namespace
}  // namespace parley::store
