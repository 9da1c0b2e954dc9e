// Requests that are aborted while they wait.
#include "http/client/clients.hpp"
#include "http/client/peer_for_tests.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

class ClientAbortTest : public testing::Test {
protected:
    // Sends a request to a peer that sends these bytes and no more; aborts after them.
    ClientResult<std::string> aborted_after(const std::string& said)
    {
        Signal waiting;
        ScriptedPeer peer({[&](ScriptedConnection& client) {
            client.hear();
            client.say(said);
            waiting.give();
            client.client_left();
        }});
        auto answer =
            boost::asio::co_spawn(loops_[0].executor(), read(peer.url()), boost::asio::use_future);
        waiting.wait();
        boost::asio::post(loops_[0].executor(), [this] {
            if (stream_) stream_->abort();
        });
        return answer.get();
    }

    Loops loops_{2, system_clock()};
    Clients clients_{loops_};

private:
    Task<ClientResult<std::string>> read(Url url)
    {
        Client& client = clients_.here(loops_[0].executor()).client;
        stream_ = client.prepare({.method = "POST", .url = std::move(url)});
        auto body = co_await read_all();
        stream_.reset();  // It belongs to the loop.
        co_return body;
    }

    Task<ClientResult<std::string>> read_all()
    {
        const auto started = co_await stream_->start();
        if (!started) co_return started.error();
        std::string body;
        while (true) {
            const auto piece = co_await stream_->next();
            if (!piece) co_return piece.error();
            if (piece->empty()) co_return body;
            body += *piece;
        }
    }

    std::unique_ptr<ClientStream> stream_;
};

TEST_F(ClientAbortTest, ComesBackWhereverItWaits)
{
    for (const char* said :
         {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234"})
        EXPECT_EQ(aborted_after(said).error().kind, ClientFailure::closed) << said;
}

TEST_F(ClientAbortTest, IsOverBeforeItBegan)
{
    ScriptedPeer peer({});
    const auto ask = [&]() -> Task<ClientResult<>> {
        const auto stream = clients_.here(loops_[1].executor()).client.prepare({.url = peer.url()});
        stream->abort();
        co_return co_await stream->start();
    };
    const auto answer =
        boost::asio::co_spawn(loops_[1].executor(), ask(), boost::asio::use_future).get();
    EXPECT_EQ(answer.error().kind, ClientFailure::closed);
    EXPECT_TRUE(answer.error().before_sending);
    EXPECT_EQ(peer.connections(), 0U);
}

TEST_F(ClientAbortTest, NoLoopHasTheClientOfAnother)
{
    EXPECT_NE(&clients_.here(loops_[0].executor()).client,
              &clients_.here(loops_[1].executor()).client);
    boost::asio::io_context elsewhere;
    EXPECT_THROW(clients_.here(elsewhere.get_executor()), std::logic_error);
}

}  // namespace
}  // namespace parley::http::client
