#include "http/client/connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

#include <string>

namespace parley::http::client {
namespace {

using boost::asio::ip::tcp;

// The loop does not run: nothing here may wait for it.
class ClientConnectionTest : public testing::Test {
protected:
    ClientConnectionTest()
    {
        Socket socket(loop_.executor());
        socket.connect(acceptor_.local_endpoint());
        server_ = acceptor_.accept();
        connection_.emplace(loop_, std::move(socket));
    }
    std::size_t try_write(const std::string& first, const std::string& second)
    {
        return connection_->try_write({boost::asio::buffer(first), boost::asio::buffer(second)},
                                      error_);
    }

    ManualClock clock_;
    Loop loop_{clock_};
    tcp::acceptor acceptor_{loop_.context(), {boost::asio::ip::address_v4::loopback(), 0}};
    tcp::socket server_{loop_.context()};
    std::optional<ClientConnection> connection_;
    ErrorCode error_;
};

TEST_F(ClientConnectionTest, WritesWhatTheKernelTakes)
{
    EXPECT_EQ(try_write("head", "body"), 8u);
    EXPECT_FALSE(error_);
    EXPECT_EQ(try_write("more", ""), 4u);
    EXPECT_FALSE(error_);
    std::string arrived(12, ' ');
    boost::asio::read(server_, boost::asio::buffer(arrived));
    EXPECT_EQ(arrived, "headbodymore");
}

TEST_F(ClientConnectionTest, DoesNotWaitForAPeerThatDoesNotRead)
{
    const std::string much(std::size_t{1024} * 1024, 'x');
    constexpr int more_than_fits = 1000;
    for (int i = 0; i < more_than_fits && !error_; ++i) try_write(much, much);
    EXPECT_EQ(error_, boost::asio::error::would_block);
}

TEST_F(ClientConnectionTest, TellsABrokenConnectionFromAFullOne)
{
    server_.set_option(boost::asio::socket_base::linger(true, 0));
    server_.close();
    EXPECT_EQ(try_write("head", "body"), 0u);
    EXPECT_TRUE(error_);
    EXPECT_NE(error_, boost::asio::error::would_block);
}

TEST_F(ClientConnectionTest, IsQuietUntilSomethingComes)
{
    EXPECT_TRUE(connection_->quiet());
    server_.send(boost::asio::buffer("x", 1));
    EXPECT_FALSE(connection_->quiet());
}

TEST_F(ClientConnectionTest, IsNotQuietAfterItsEnd)
{
    server_.shutdown(tcp::socket::shutdown_send);
    EXPECT_FALSE(connection_->quiet());
}

}  // namespace
}  // namespace parley::http::client
