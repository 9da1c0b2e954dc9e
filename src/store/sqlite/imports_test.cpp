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
    std::future<Result<StoredImport>> importing(NewImport import)
    {
        return std::async(std::launch::async, [this, import = std::move(import)]() mutable {
            return block_on(store->moving().import_session(std::move(import)));
        });
    }
    std::size_t listed()
    {
        return block_on(sessions().list_sessions(anas, {}, {}, 10)).value().items.size();
    }
    std::int64_t stored() { return database_.integer("SELECT count(*) FROM messages"); }
    static constexpr std::int64_t before_it_waits = 2250;
    void index() { ASSERT_TRUE(block_on(store->search().update_index(100))); }

private:
    Database database_{dynamic_cast<StoreInFile&>(*trial).file, Database::Access::read};
};

TEST_F(ImportsTest, WaitForTheIndexHoweverLongItTakes)
{
    index();  // So that the import knows that something indexes its messages.
    auto imported = importing(import_of(2600));
    while (stored() < before_it_waits) std::this_thread::yield();
    // It used to go on after 5 seconds.
    EXPECT_EQ(imported.wait_for(6s), std::future_status::timeout);
    EXPECT_EQ(stored(), before_it_waits);
    while (imported.wait_for(0s) != std::future_status::ready) index();
    EXPECT_TRUE(imported.get());
    EXPECT_EQ(stored(), 2600);
}

TEST_F(ImportsTest, EndWithTheServerAlthoughNothingIndexesThem)
{
    index();
    const NewImport import = import_of(2600);
    auto imported = importing(import);
    while (stored() < before_it_waits) std::this_thread::yield();
    EXPECT_FALSE(is_there(import.session)) << "it is found when it is complete";
    EXPECT_EQ(listed(), 0U);
    store->moving().end_by(std::chrono::steady_clock::now() + 1min);
    EXPECT_TRUE(imported.get());
    EXPECT_EQ(found(import.session).message_count, 2600);
    EXPECT_EQ(listed(), 1U);
}

TEST_F(ImportsTest, AreGivenUpIfTheServerCannotWait)
{
    index();
    const NewImport import = import_of(2600);
    auto imported = importing(import);
    while (stored() < before_it_waits) std::this_thread::yield();
    store->moving().end_by(std::chrono::steady_clock::now());
    EXPECT_EQ(imported.get().error().code, Errc::shutting_down);
    reopen();
    EXPECT_EQ(listed(), 0U);
    // As after each start.
    EXPECT_TRUE(block_on(sessions().idle_sessions(clock.now(), {}, 10)).value().empty());
    EXPECT_EQ(stored(), 0);
    EXPECT_FALSE(importing(import).get().value().replayed);
    EXPECT_EQ(found(import.session).message_count, 2600);
}

}  // namespace
}  // namespace parley::store::sqlite
