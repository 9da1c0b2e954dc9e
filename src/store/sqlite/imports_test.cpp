// An import does not get ahead of the index of words.
#include "store/chat_contract_fixture.hpp"
#include "store/moving.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <future>
#include <string>
#include <thread>

namespace parley::store::sqlite {
namespace {

struct StoreInFile final : StoreOnTrial {
    TestDirectory directory;
    std::filesystem::path file = directory / "parley.db";

    std::unique_ptr<Store> open() override
    {
        return std::move(open_sqlite_store({.file = file})).value();
    }
    bool keeps() const override { return true; }
};

class ImportsTest : public ChatContractTest {
protected:
    ImportsTest() : ChatContractTest(std::make_unique<StoreInFile>()) {}

    NewImport import_of(std::size_t count)
    {
        NewImport import{
            .format = "chatgpt", .session = new_session(anas, "Moved"), .now = clock.now()};
        for (std::size_t i = 0; i < count; ++i) {
            const TimePoint at = later();
            import.messages.push_back(
                {.message = {.id = new_id("msg", at), .parts = {"text"}, .created_at = at}});
            if (i > 0) import.messages.back().parent = i - 1;
        }
        import.newest = count - 1;
        return import;
    }
    std::int64_t stored() { return database_.integer("SELECT count(*) FROM messages"); }
    void index() { ASSERT_TRUE(block_on(store->search().update_index(100))); }

private:
    Database database_{dynamic_cast<StoreInFile&>(*trial).file, Database::Access::read};
};

TEST_F(ImportsTest, WaitForTheIndexHoweverLongItTakes)
{
    index();  // So that the import knows that something indexes its messages.
    auto imported = std::async(std::launch::async, [this, import = import_of(2600)]() mutable {
        return block_on(store->moving().import_session(std::move(import)));
    });
    constexpr std::int64_t before_it_waits = 2250;
    while (stored() < before_it_waits) std::this_thread::yield();
    // It used to go on after 5 seconds.
    EXPECT_EQ(imported.wait_for(6s), std::future_status::timeout);
    EXPECT_EQ(stored(), before_it_waits);
    while (imported.wait_for(0s) != std::future_status::ready) index();
    EXPECT_TRUE(imported.get());
    EXPECT_EQ(stored(), 2600);
}

}  // namespace
}  // namespace parley::store::sqlite
