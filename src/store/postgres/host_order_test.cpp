#include "store/postgres/host_order.hpp"

#include "store/postgres/link.hpp"
#include "store/postgres/server_for_tests.hpp"
#include "store/postgres/silent_host_for_tests.hpp"

#include <chrono>

namespace parley::store::postgres {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

Link::GiveUp after(Steady::duration time)
{
    return [end = Steady::now() + time] { return Steady::now() > end; };
}

TEST(HostOrder, BeginsWithTheNextOneAfterAFailure)
{
    if (!TestServer::instance().is_there()) GTEST_SKIP() << "PostgreSQL is missing";
    const std::string url = "postgresql://a:1,b:2,c:3/parley";
    HostOrder order;
    const auto first = order.next_attempt(url);
    EXPECT_EQ(first.host, "a,b,c");
    EXPECT_EQ(first.port, "1,2,3");
    EXPECT_EQ(first.hostaddr, "");
    order.failed(first);
    order.failed(first);  // Another connection that had begun at the same time.
    const auto second = order.next_attempt(url);
    EXPECT_EQ(second.host, "b,c,a");
    EXPECT_EQ(second.port, "2,3,1");
    order.failed(second);
    order.failed(order.next_attempt(url));
    EXPECT_EQ(order.next_attempt(url).host, "a,b,c");
    EXPECT_EQ(order.next_attempt("postgresql://a/parley").host, "a");
}

TEST(HostOrder, AHostThatDoesNotAnswerKeepsNoOtherFromBeingTried)
{
    TestServer& server = TestServer::instance();
    if (!server.is_there()) GTEST_SKIP() << "PostgreSQL is missing";
    const SilentHost silent;
    const Options options{.url = silent.before(server.new_url())};
    EXPECT_THROW(Link(options, after(300ms)), Failure);
    Link link(options, after(30s));
    EXPECT_EQ(link.text("SELECT 'here'"), "here");
    Link another(options, after(30s));  // It does not begin with the silent one again.
    EXPECT_EQ(another.text("SELECT 'here'"), "here");
}

}  // namespace
}  // namespace parley::store::postgres
