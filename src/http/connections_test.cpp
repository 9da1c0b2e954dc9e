// The number of connections, which of them are closed for new ones, and shutdown.
#include "http/server_for_tests.hpp"

#include <thread>

namespace parley::http {
namespace {

using std::chrono::milliseconds;

// Holds requests for /hold until it is released or destroyed.
class Holding {
public:
    explicit Holding(TestServer& server) : server_(server)
    {
        server.handler.on_request = [this](Exchange& exchange) -> Task<Response> {
            if (exchange.request().path == "/hold") {
                ++held_;
                Timer pause(co_await boost::asio::this_coro::executor);
                while (!released_) {
                    pause.expires_after(milliseconds(5));
                    co_await pause.async_wait(awaiting);
                }
            }
            co_return Response{.status = 200, .fields = {}, .body = "hello"};
        };
    }
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;
    ~Holding()
    {
        released_ = true;
        server_->cut_all();
        server_->wait_until_empty(milliseconds(5000));
    }

    // A client whose request is being held.
    std::unique_ptr<RawClient> client()
    {
        auto client = std::make_unique<RawClient>(server_);
        const int before = held_;
        client->send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
        while (held_ == before) std::this_thread::sleep_for(milliseconds(1));
        return client;
    }
    void release() { released_ = true; }

private:
    TestServer& server_;
    std::atomic<int> held_{0};
    std::atomic<bool> released_{false};
};

int ask(RawClient& client)
{
    client.send(get);
    return status_of(client.read_until("\r\n\r\n"));
}

TEST(Connections, OneConnectionTooManyIsToldSo)
{
    Limits limits;
    limits.max_connections = 2;
    limits.max_refusals = 1;
    TestServer server(limits);
    Holding holding(server);
    const auto first = holding.client();
    auto second = holding.client();

    RawClient third(server);
    EXPECT_EQ(status_of(third.read_until("\r\n\r\n")), 503);
    RawClient fourth(server);  // While the third connection lingers, there is no room even for a
                               // refusal.
    EXPECT_EQ(fourth.read_all(), "");
    EXPECT_TRUE(fourth.closed);

    holding.release();
    second.reset();
    third.finish_sending();
    third.read_all();
    // When the server has noticed the disconnect, there is room again.
    for (int status = 0; status != 200;) {
        RawClient fifth(server);
        fifth.send(get);
        status = status_of(fifth.read_all(200));
    }
}

// With several loops, a connection may be checked before another loop has recorded that it is idle.
constexpr std::size_t one_loop = 1;

TEST(Connections, TheLongestIdleConnectionGivesWay)
{
    Limits limits;
    limits.max_connections = 3;
    TestServer server(limits, {}, nullptr, one_loop);
    Holding holding(server);
    const auto busy = holding.client();
    RawClient first(server);
    EXPECT_EQ(ask(first), 200);
    RawClient second(server);
    EXPECT_EQ(ask(second), 200);
    EXPECT_EQ(ask(first), 200);  // Now the second is idle for longer.
    first.read_until("hello", 100);

    RawClient third(server);
    EXPECT_EQ(ask(third), 200);
    second.read_all();
    EXPECT_TRUE(second.closed);
    EXPECT_EQ(ask(first), 200);
    EXPECT_FALSE(first.closed);
    EXPECT_EQ(server->refused(), 0U);
}

TEST(Connections, AHalfSentHeadGivesWay)
{
    Limits limits;
    limits.max_connections = 2;
    TestServer server(limits, {}, nullptr, one_loop);
    RawClient first(server);
    RawClient second(server);
    for (RawClient* half : {&first, &second}) {
        EXPECT_EQ(ask(*half), 200);  // Certainly being served, not only accepted.
        half->read_until("hello", 100);
        half->send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
    }
    RawClient newcomer(server);
    EXPECT_EQ(ask(newcomer), 200);
    EXPECT_EQ(server->refused(), 0U);
}

TEST(Connections, OneAddressHasALimit)
{
    Limits limits;
    limits.max_connections_per_address = 2;
    TestServer server(limits);
    RawClient first(server);
    auto second = std::make_unique<RawClient>(server);
    EXPECT_EQ(ask(first), 200);
    EXPECT_EQ(ask(*second), 200);
    RawClient third(server);
    EXPECT_EQ(status_of(third.read_until("\r\n\r\n")), 503);
    EXPECT_EQ(ask(first), 200) << "no idle connection gives way to its own kind";

    second.reset();
    for (int status = 0; status != 200;) {
        RawClient fourth(server);
        status = ask(fourth);
    }
}

TEST(Connections, AProxyMayHaveAnyNumberOfConnections)
{
    Limits limits;
    limits.max_connections_per_address = 1;
    TestServer server(limits, [](const auto& address) { return address.is_loopback(); });
    RawClient first(server);
    RawClient second(server);
    RawClient third(server);
    for (RawClient* client : {&first, &second, &third}) EXPECT_EQ(ask(*client), 200);
    limits.max_connections_per_address = 0;
    TestServer without(limits);
    RawClient fourth(without);
    RawClient fifth(without);
    for (RawClient* client : {&fourth, &fifth}) EXPECT_EQ(ask(*client), 200);
}

TEST(Connections, WhileItDrainsEveryAnswerIsTheLast)
{
    TestServer server;
    Holding holding(server);
    const auto held = holding.client();
    RawClient idle(server);
    EXPECT_EQ(ask(idle), 200);
    server->close_after_answers();
    EXPECT_FALSE(server->wait_until_answered(milliseconds(50)));
    RawClient late(server);  // Still accepted.
    late.send(get);
    EXPECT_NE(late.read_all().find("Connection: close"), std::string::npos);
    EXPECT_TRUE(late.closed);
    holding.release();
    EXPECT_EQ(status_of(held->read_until("hello")), 200);
    EXPECT_TRUE(server->wait_until_answered(milliseconds(5000))) << "an idle one is not waited for";
}

TEST(Connections, LeavingInOrder)
{
    TestServer server;
    RawClient idle(server);
    idle.send(get);
    EXPECT_EQ(status_of(idle.read_until("hello")), 200);
    server->stop_accepting();
    idle.send(get);  // Open connections are still served,
    EXPECT_EQ(status_of(idle.read_until("hello")), 200);
    server->close_idle();
    EXPECT_EQ(idle.read_all(), "");  // until the idle ones are closed.
    EXPECT_TRUE(idle.closed);
    EXPECT_TRUE(server->wait_until_empty(milliseconds(5000)));
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket late(context);
    boost::system::error_code refused;
    late.connect({boost::asio::ip::address_v4::loopback(), server.port()}, refused);
    EXPECT_EQ(refused, boost::asio::error::connection_refused);
}

TEST(Connections, SaysWhichAddressIsTaken)
{
    TestServer first;
    Loops loops(1, system_clock());
    Server second(loops, first.handler, {.listen = first->local_endpoint()});
    const auto started = second.start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("127.0.0.1:" + std::to_string(first.port())),
              std::string::npos);
}

}  // namespace
}  // namespace parley::http
