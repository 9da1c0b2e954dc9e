#include "chat/maintenance.hpp"

#include "chat/chat_for_tests.hpp"

#include <boost/asio/this_coro.hpp>

namespace parley::chat {
namespace {

class MaintenanceTest : public ChatTest {
protected:
    MaintenanceTest() { clock.set(system_clock().now()); }

    // Runs it until `is_done`, on the loop of the task. False if that takes too long.
    template <class IsDone>
    Task<bool> maintained(IsDone is_done, std::optional<std::int64_t> max_days = {})
    {
        const auto loop = co_await boost::asio::this_coro::executor;
        const auto maintenance = std::make_shared<Maintenance>(
            Maintenance::Services{.store = *store,
                                  .sessions = *sessions,
                                  .usage = usage,
                                  .clock = clock,
                                  .may_delete = [this] { return may_delete; }},
            max_days);
        maintenance->start(loop);
        Timer timer(loop);
        const auto end = std::chrono::steady_clock::now() + 30s;
        bool is_late = false;
        while (!is_late && !co_await is_done()) {
            is_late = std::chrono::steady_clock::now() > end;
            timer.expires_after(10ms);
            co_await timer.async_wait(awaiting);
        }
        maintenance->stop();
        co_return !is_late;
    }
    Task<std::size_t> found(std::string query)
    {
        const auto page =
            co_await store->search().find(ana, search::Query::parse(query), {}, {}, 10);
        co_return page.value().items.size();
    }
    std::string new_session() { return block_on(sessions->create(ana, {})).value().session.id; }
    bool is_there(const std::string& session)
    {
        return block_on(store->sessions().find_session(ana, session)).has_value();
    }

    ManualClock clock;
    UsageRecorder usage;
    bool may_delete = true;
};

TEST_F(MaintenanceTest, MakesNewMessagesSearchable)
{
    bool was_asked = false;
    EXPECT_TRUE(block_on(maintained([&]() -> Task<bool> {
        if (!std::exchange(was_asked, true))
            EXPECT_TRUE(co_await questions->ask(ana, saying("a violet umbrella")));
        co_return co_await found("umbrella") == 2;
    })));
}

TEST_F(MaintenanceTest, StoresUsage)
{
    usage.count(ana, "small", clock.now(), {5, 7, 0});
    const store::Day day = store::day_of(clock.now());
    std::vector<store::DailyUsage> stored;
    EXPECT_TRUE(block_on(maintained([&]() -> Task<bool> {
        const auto page = co_await store->usage().list(
            {.test = ana.test, .user = ana.user, .first = day, .last = day}, {}, 10);
        stored = page.value().items;
        co_return !stored.empty();
    })));
    const std::vector<store::DailyUsage> expected{{ana, "small", day, 1, {5, 7, 0}}};
    EXPECT_EQ(stored, expected);
    EXPECT_TRUE(usage.take().empty());
}

TEST_F(MaintenanceTest, DeletesSessionsThatAreOldForTheirUser)
{
    const std::string old = new_session();
    const std::string kept = new_session();
    ASSERT_TRUE(block_on(sessions->change(ana, kept, {.keep = true}, {})));
    ASSERT_TRUE(block_on(store->accounts().change_user(ana.user, {.retention_days = 30})));
    clock.advance(31 * 24h);
    const std::string fresh = [&] {
        store::Session session{.id = "ses_fresh", .owner = ana};
        session.created_at = session.updated_at = clock.now();
        return block_on(store->sessions().create_session(session)).value().session.id;
    }();
    EXPECT_TRUE(block_on(maintained([&]() -> Task<bool> {
        co_return !(co_await store->sessions().find_session(ana, old)).has_value();
    })));
    EXPECT_TRUE(is_there(kept));
    EXPECT_TRUE(is_there(fresh));
}

TEST_F(MaintenanceTest, DeletesNothingWhileTheClockCannotBeTrusted)
{
    const std::string old = new_session();
    clock.advance(100 * 24h);
    may_delete = false;
    int looks = 0;
    EXPECT_TRUE(block_on(maintained([&]() -> Task<bool> { co_return ++looks > 5; }, 30)));
    EXPECT_TRUE(is_there(old));
    may_delete = true;
    EXPECT_TRUE(block_on(maintained(
        [&]() -> Task<bool> {
            co_return !(co_await store->sessions().find_session(ana, old)).has_value();
        },
        30)));
}

}  // namespace
}  // namespace parley::chat
