#include "store/faults/disk.hpp"

#include "store/contract_fixture.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/opening.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <fstream>

namespace parley::store::faults {
namespace {

// With no fault planned it is a disk like any other.
class StoreOnFaultyDisk final : public StoreOnTrial {
public:
    std::unique_ptr<Store> open() override
    {
        set({});
        return std::move(open_sqlite_store({.file = directory_ / "parley.db", .vfs = vfs_name()}))
            .value();
    }
    bool keeps() const override { return true; }

private:
    sqlite::TestDirectory directory_;
};

class FaultyDisk : public testing::Test {
protected:
    FaultyDisk() { survive_power_cuts(); }
    ~FaultyDisk() override { set({}); }

    std::unique_ptr<Store> open()
    {
        return std::move(open_sqlite_store({.file = directory / "parley.db", .vfs = vfs_name()}))
            .value();
    }
    Result<> append(Store& store, int number)
    {
        return block_on(store.audit().append({.id = "evt_" + std::to_string(number),
                                              .at = TimePoint(),
                                              .actor = "a",
                                              .action = "b",
                                              .target = std::to_string(number),
                                              .address = "c",
                                              .request_id = "d"}));
    }
    static std::size_t count(Store& store)
    {
        return block_on(store.audit().list(std::nullopt, 100'000)).value().items.size();
    }

    sqlite::TestDirectory directory;
};

// 300 power cuts, at 127 different operations of the disk: while committing, while checkpointing,
// while the tables are made. An append takes about twelve: each page of the table and of its four
// indexes is two writes, and then there is the sync.
TEST_F(FaultyDisk, LosesNothingAcknowledgedWhenThePowerIsCut)
{
    int acknowledged = 0;
    int attempted = 0;
    for (std::uint64_t round = 0; round < 300; ++round) {
        set({Fault::power_cut, 1 + round * 7 % 127, round});
        if (auto store = open_sqlite_store({.file = directory / "parley.db", .vfs = vfs_name()})) {
            while (append(**store, ++attempted)) ++acknowledged;
        }
        set({});
        ASSERT_TRUE(sqlite::examine(directory / "parley.db")) << "round " << round;
        const auto store = open();
        const auto found = static_cast<int>(count(*store));
        ASSERT_GE(found, acknowledged) << "round " << round;
        ASSERT_LE(found, attempted) << "round " << round;
        acknowledged = found;  // Events without acknowledgement may be there, and then stay.
    }
    EXPECT_GT(acknowledged, 1000);
}

TEST_F(FaultyDisk, StopsWritingAtTheFirstLostSyncAndGoesOnReading)
{
    const auto store = open();
    ASSERT_TRUE(append(*store, 1));
    set({Fault::lost_sync});
    EXPECT_EQ(append(*store, 2).error().code, Errc::storage_unavailable);
    // The disk says that all is well again; it lies.
    EXPECT_EQ(append(*store, 3).error().code, Errc::storage_unavailable);
    EXPECT_EQ(store->can_write().error().code, Errc::storage_unavailable);
    EXPECT_EQ(count(*store), 1U);
}

TEST_F(FaultyDisk, IsUsableAfterALostSyncOnceItIsOpenedAnew)
{
    auto store = open();
    ASSERT_TRUE(append(*store, 1));
    set({Fault::lost_sync});
    ASSERT_FALSE(append(*store, 2));
    store.reset();
    store = open();
    EXPECT_TRUE(store->can_write());
    ASSERT_TRUE(append(*store, 3));
    EXPECT_GE(count(*store), 2U);
}

TEST_F(FaultyDisk, RefusesWhileItIsFullAndRecoversByItself)
{
    const auto store = open();
    ASSERT_TRUE(append(*store, 1));
    set({Fault::disk_full});
    const auto refused = append(*store, 2);
    EXPECT_EQ(refused.error().code, Errc::storage_unavailable);
    EXPECT_EQ(refused.error().message, "The server's disk is full.");
    EXPECT_FALSE(append(*store, 3));
    EXPECT_TRUE(store->can_write());
    EXPECT_EQ(count(*store), 1U);
    set({});
    ASSERT_TRUE(append(*store, 4));
    EXPECT_EQ(count(*store), 2U);
}

}  // namespace
}  // namespace parley::store::faults

std::unique_ptr<parley::store::StoreOnTrial> parley::store::store_on_trial()
{
    return std::make_unique<faults::StoreOnFaultyDisk>();
}
