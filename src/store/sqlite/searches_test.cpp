// Searches wait for nothing but searches, and a user's for one another.
#include "search/query.hpp"
#include "store/sql/driver.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace parley::store {
namespace {

// Its jobs wait until the test takes them.
class WaitingDriver final : public sql::Driver {
public:
    struct Queues {
        sql::JobQueue writes{100};
        sql::JobQueue reads{100};
        sql::JobQueue long_reads{100};
        sql::JobQueue searches{100};
    };
    explicit WaitingDriver(Queues& queues) : queues_(queues) {}

    sql::JobQueue& writes() override { return queues_.writes; }
    sql::JobQueue& reads() override { return queues_.reads; }
    sql::JobQueue& long_reads() override { return queues_.long_reads; }
    sql::JobQueue& searches() override { return queues_.searches; }
    EventSignal& events_signal() override { return signal_; }
    Task<Result<std::uint64_t>> back_up(std::filesystem::path /*file*/) override
    {
        co_return Error{Errc::not_implemented, "There is nothing to back up."};
    }
    Result<> can_write() const override { return {}; }
    Figures figures() const override { return {}; }

private:
    Queues& queues_;
    EventSignal signal_;
};

class SearchesTest : public testing::Test {
protected:
    void begin_search(const std::string& user)
    {
        boost::asio::co_spawn(
            loop,
            [](SearchesTest& test, Owner owner) -> Task<> {
                const auto found = co_await test.store->search().find(
                    std::move(owner), search::Query::parse("x"), {}, {}, 10);
                ++(found.error().code == Errc::overloaded ? test.refused : test.answered);
            }(*this, Owner{user, false}),
            boost::asio::detached);
        loop.restart();
        loop.poll();
    }
    // Answers all that wait in the queue; returns their number.
    std::size_t answer()
    {
        const std::size_t count = queues.searches.size();
        if (count > 0)
            for (const auto& job : queues.searches.take(count)) {
                job->fail({Errc::internal, "answered"});
                job->answer();
            }
        loop.restart();
        loop.poll();
        return count;
    }

    boost::asio::io_context loop;
    WaitingDriver::Queues queues;
    std::unique_ptr<Store> store = sql::make_store(std::make_unique<WaitingDriver>(queues));
    int answered = 0;
    int refused = 0;
};

TEST_F(SearchesTest, HaveAQueueOfTheirOwn)
{
    begin_search("usr_ana");
    EXPECT_EQ(queues.searches.size(), 1U);
    EXPECT_EQ(queues.reads.size(), 0U);
    EXPECT_EQ(answer(), 1U);
    EXPECT_EQ(answered, 1);
}

TEST_F(SearchesTest, OfOneUserWaitForOneAnother)
{
    for (int i = 0; i < 3; ++i) begin_search("usr_ana");
    begin_search("usr_ben");
    EXPECT_EQ(answer(), 2U) << "one of each";
    EXPECT_EQ(answer(), 1U);
    EXPECT_EQ(answer(), 1U);
    EXPECT_EQ(answer(), 0U);
    EXPECT_EQ(answered, 4);
}

TEST_F(SearchesTest, OfOneUserAreRefusedIfTooManyWait)
{
    for (int i = 0; i < 20; ++i) begin_search("usr_ana");
    EXPECT_EQ(refused, 3);
    while (answer() > 0) continue;
    EXPECT_EQ(answered, 17);
}

}  // namespace
}  // namespace parley::store
