// What a thread with a connection does if the server does not answer it.
#include "store/postgres/workers.hpp"

#include "base/block_on.hpp"
#include "store/postgres/server_for_tests.hpp"
#include "store/postgres/silent_host_for_tests.hpp"

#include <future>

namespace parley::store::postgres {
namespace {

using namespace std::chrono_literals;

class WorkersTest : public testing::Test {
protected:
    ~WorkersTest() override { server.give_back(url); }

    TestServer& server = TestServer::instance();
    const std::string url = server.take_tables();
};

// Health has reached the server by another host, and knows of no loss.
TEST_F(WorkersTest, AHostThatSaysNothingIsNotWaitedFor)
{
    const SilentHost silent;
    EventSignal signal;
    Health health({.url = url, .patience = 1min}, "test");
    const Options options{.url = silent.before(url), .patience = 500ms};
    std::future<Result<int>> asked;  // The workers end first: then it has an answer in any case.
    Workers workers(Workers::Mode::read, 1, options, health, signal);
    asked = std::async(std::launch::async, [&workers] {
        return block_on(workers.jobs().run<int>([](sql::Connection&) -> Result<int> { return 7; }));
    });
    ASSERT_EQ(asked.wait_for(1min), std::future_status::ready);
    const auto answer = asked.get();
    ASSERT_TRUE(answer) << answer.error().detail;
    EXPECT_EQ(*answer, 7);
}

}  // namespace
}  // namespace parley::store::postgres
