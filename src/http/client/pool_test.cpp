#include "http/client/pool.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

using boost::asio::ip::tcp;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The loop does not run: the test moves its clock and its wheel.
class ClientPoolTest : public testing::Test {
protected:
    std::unique_ptr<ClientConnection> connection()
    {
        Socket socket(loop_.executor());
        socket.connect(acceptor_.local_endpoint());
        servers_.push_back(acceptor_.accept());
        return std::make_unique<ClientConnection>(loop_, std::move(socket));
    }
    void pass(milliseconds time)
    {
        clock_.advance(time);
        loop_.wheel().advance();
    }

    ManualClock clock_;
    Loop loop_{clock_};
    tcp::acceptor acceptor_{loop_.context(), {boost::asio::ip::address_v4::loopback(), 0}};
    std::vector<tcp::socket> servers_;
    ClientPool pool_{loop_, {.per_origin = 2, .total = 3, .wait = seconds(60)}};
};

TEST_F(ClientPoolTest, GivesTheConnectionThatWasUsedLast)
{
    pool_.give("a", connection());
    auto last = connection();
    const auto* expected = last.get();
    pool_.give("a", std::move(last));
    EXPECT_EQ(pool_.take("a").get(), expected);
    EXPECT_NE(pool_.take("a"), nullptr);
    EXPECT_EQ(pool_.take("a"), nullptr);
}

TEST_F(ClientPoolTest, KeepsOriginsApart)
{
    pool_.give("http://a:1", connection());
    EXPECT_EQ(pool_.take("https://a:1"), nullptr);
    EXPECT_EQ(pool_.take("http://a:2"), nullptr);
    EXPECT_NE(pool_.take("http://a:1"), nullptr);
}

TEST_F(ClientPoolTest, DropsTheOldestOfAnOriginThatHasTooMany)
{
    auto second = connection();
    const auto* kept = second.get();
    pool_.give("a", connection());
    pool_.give("a", std::move(second));
    pool_.give("a", connection());
    EXPECT_EQ(pool_.size(), 2u);
    pool_.take("a");
    EXPECT_EQ(pool_.take("a").get(), kept);
}

TEST_F(ClientPoolTest, DropsTheOldestOfAllWhenThereAreTooMany)
{
    pool_.give("a", connection());
    pool_.give("b", connection());
    pool_.give("b", connection());
    pool_.give("c", connection());
    EXPECT_EQ(pool_.size(), 3u);
    EXPECT_EQ(pool_.take("a"), nullptr);
}

TEST_F(ClientPoolTest, DropsWhatNobodyUsedForAMinute)
{
    pool_.give("a", connection());
    pass(seconds(30));
    pool_.give("b", connection());
    pass(seconds(29));
    EXPECT_EQ(pool_.size(), 2u);
    pass(milliseconds(1300));
    EXPECT_EQ(pool_.size(), 1u);
    EXPECT_NE(pool_.take("b"), nullptr);
    pool_.give("b", connection());
    pass(seconds(61));
    EXPECT_EQ(pool_.size(), 0u);
}

TEST_F(ClientPoolTest, DoesNotGiveAConnectionThatIsClosedOrHasSomethingToSay)
{
    pool_.give("a", connection());
    servers_[0].close();
    EXPECT_EQ(pool_.take("a"), nullptr);
    pool_.give("a", connection());
    servers_[1].send(boost::asio::buffer("HTTP/1.1 408 Request Timeout\r\n\r\n", 32));
    EXPECT_EQ(pool_.take("a"), nullptr);
    EXPECT_EQ(pool_.size(), 0u);
}

}  // namespace
}  // namespace parley::http::client
