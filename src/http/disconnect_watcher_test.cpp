#include "http/server_for_tests.hpp"

#include <future>
#include <mutex>
#include <optional>

namespace parley::http {
namespace {

// A server whose responses wait until the client disconnects, or until they are released.
class Departures : public testing::Test {
protected:
    Departures()
    {
        server.handler.on_request = [this](Exchange& exchange) -> Task<Response> {
            if (streams) {
                EventStream& events = exchange.stream(Response());
                co_await events.send(std::make_shared<const std::string>("data: 1\n\n"));
            }
            exchange.on_disconnect([this] { end_wait(true); });
            const bool has_disconnected =
                co_await await_callback<bool>([this](Completion<bool> answer) {
                    const std::lock_guard lock(mutex_);
                    waiting_.emplace(std::move(answer));
                    waits_.set_value();
                });
            exchange.on_disconnect(nullptr);
            left_.set_value(has_disconnected);
            co_return Response{.status = 200, .fields = {}, .body = "the answer"};
        };
    }

    void wait_until_it_waits()
    {
        waits_.get_future().wait();
        waits_ = {};
    }
    void let_go() { end_wait(false); }
    bool has_disconnected()
    {
        auto told = left_.get_future();
        const bool left =
            told.wait_for(std::chrono::seconds(30)) == std::future_status::ready && told.get();
        left_ = {};
        return left;
    }

private:
    void end_wait(bool has_disconnected)
    {
        const std::lock_guard lock(mutex_);
        if (auto answer = std::exchange(waiting_, std::nullopt))
            std::move (*answer)(has_disconnected);
    }

    std::mutex mutex_;
    std::optional<Completion<bool>> waiting_;
    std::promise<void> waits_;
    std::promise<bool> left_;

protected:
    bool streams = false;
    TestServer server;  // Destroyed first: its handler uses the members above.
};

TEST_F(Departures, AreToldWhileTheAnswerIsAwaited)
{
    {
        RawClient client(server);
        client.send(get);
        wait_until_it_waits();
    }
    EXPECT_TRUE(has_disconnected());
}

TEST_F(Departures, AreToldOfAResetConnection)
{
    {
        RawClient client(server);
        client.send(get);
        wait_until_it_waits();
        client.socket().set_option(boost::asio::socket_base::linger(true, 0));
    }
    EXPECT_TRUE(has_disconnected());
}

TEST_F(Departures, AreToldInASilentStream)
{
    streams = true;
    {
        RawClient client(server);
        client.send(get);
        EXPECT_NE(client.read_until("data: 1\n\n"), "");
        wait_until_it_waits();
    }
    EXPECT_TRUE(has_disconnected());
}

TEST_F(Departures, AreToldOfAClientThatHasSentItsNextRequest)
{
    {
        RawClient client(server);
        client.send(get);
        wait_until_it_waits();
        client.send(get);
    }
    EXPECT_TRUE(has_disconnected());
}

TEST_F(Departures, AreNotToldOfAClientThatHasFinishedSending)
{
    for (const bool in_stream : {false, true}) {
        streams = in_stream;
        RawClient client(server);
        client.send(get);
        wait_until_it_waits();
        client.finish_sending();
        // The probe shows that the server has seen the end of the input.
        EXPECT_NE(client.read_until(in_stream ? ": ping\n\n" : "102 Processing\r\n\r\n"), "");
        let_go();
        EXPECT_FALSE(has_disconnected());
        EXPECT_NE(client.read_until(in_stream ? "0\r\n\r\n" : "the answer"), "");
    }
}

TEST_F(Departures, AreToldForEachRequestOfAConnection)
{
    {
        RawClient client(server);
        for (int i = 0; i < 3; ++i) {
            client.send(get);
            wait_until_it_waits();
            let_go();
            EXPECT_FALSE(has_disconnected());
            EXPECT_NE(client.read_until("the answer"), "");
        }
        client.send(get);
        wait_until_it_waits();
    }
    EXPECT_TRUE(has_disconnected());
}

TEST_F(Departures, TheServerCutsConnectionsOffToo)
{
    RawClient client(server);
    client.send(get);
    wait_until_it_waits();
    server->cut_all();
    EXPECT_TRUE(has_disconnected());
}

}  // namespace
}  // namespace parley::http
