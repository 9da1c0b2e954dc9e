// Memory limits of requests and responses: per payer, and in total.
#include "http/server_for_tests.hpp"

#include <array>
#include <charconv>
#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace parley::http {
namespace {

using std::chrono::milliseconds;

// Answers with 20 MB, which the user in the path pays for, or with 503.
Task<Response> answer_at_length(Exchange& exchange)
{
    Response response{.status = 200, .fields = {}, .body = std::string(20'000'000, 'x')};
    const Payer payer{.client = {}, .user = exchange.request().path};
    if (!exchange.reserve_response(response.body.size(), payer))
        response = {.status = 503, .fields = {}, .body = "full"};
    co_return response;
}

// Reads only the head of the response.
int ask_as(RawClient& client, const std::string& user)
{
    client.send("GET /" + user + " HTTP/1.1\r\nHost: a\r\n\r\n");
    return status_of(client.read_until("\r\n\r\n"));
}

TEST(ConnectionMemory, ResponsesThatNobodyReadsHaveALimit)
{
    Limits limits;
    limits.max_responses_per_payer = 30'000'000;
    TestServer server(limits);
    server.handler.on_request = answer_at_length;
    RawClient first(server);
    EXPECT_EQ(ask_as(first, "ana"), 200);
    RawClient second(server);
    EXPECT_EQ(ask_as(second, "ana"), 503);
    RawClient third(server);
    EXPECT_EQ(ask_as(third, "ben"), 200);
    first.finish_sending();
    first.read_all();  // To its end.
    for (int status = 0; status != 200;) {
        RawClient fourth(server);
        status = ask_as(fourth, "ana");
    }
}

TEST(ConnectionMemory, ResponsesToAllPayersTogetherHaveALimit)
{
    Limits limits;
    limits.max_responses_per_payer = 30'000'000;
    limits.max_responses_in_flight = 30'000'000;
    TestServer server(limits);
    server.handler.on_request = answer_at_length;
    RawClient first(server);
    EXPECT_EQ(ask_as(first, "ana"), 200);
    RawClient second(server);
    EXPECT_EQ(ask_as(second, "ben"), 503) << "his own share is free";
    first.finish_sending();
    first.read_all();
    for (int status = 0; status != 200;) {
        RawClient third(server);
        status = ask_as(third, "ben");
    }
}

// The status of a body of one user, while one of another user at the same address is unfinished. A
// share has room for one of them. Without a name, the client is no user.
int status_beside(const std::string& first, const std::string& second)
{
    Limits limits;
    limits.max_bodies_per_payer = 100'000;
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) {
        const std::string_view path = exchange.request().path;
        return echo_within(exchange, 1'000'000,
                           {.client = exchange.peer().address, .user = path.substr(1)});
    };
    const auto head = [](const std::string& user) {
        return "POST /" + user + " HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n";
    };
    RawClient unfinished(server);
    unfinished.send(head(first) + std::string(80'000, 'x'));
    while (server->body_bytes() < 60'000) std::this_thread::yield();
    RawClient other(server);
    other.send(head(second) + std::string(90'000, 'x'));
    const int status = status_of(other.read_until("\r\n\r\n"));
    unfinished.send(std::string(10'000, 'x'));
    EXPECT_EQ(status_of(unfinished.read_until("\r\n\r\n")), 200);
    return status;
}

TEST(ConnectionMemory, OneUserDoesNotFillTheRoomForBodies)
{
    EXPECT_EQ(status_beside("ana", "ana"), 503);
    EXPECT_EQ(status_beside("ana", "ben"), 200) << "another user at the same address";
    EXPECT_EQ(status_beside("ana", ""), 200) << "a client without a user";
}

TEST(ConnectionMemory, ClientsWithoutAUserShareTheRoomOfTheirAddress)
{
    EXPECT_EQ(status_beside("", ""), 503);
    EXPECT_EQ(status_beside("", "ana"), 200) << "a user has a share of her own";
}

std::string post(const std::string& path, std::size_t size)
{
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) +
           "\r\n\r\n" + std::string(size, 'x');
}

std::string chunked_post(const std::string& path, std::size_t size)
{
    std::array<char, 16> hex{};
    char* end = std::to_chars(hex.begin(), hex.end(), size, 16).ptr;
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
           std::string(hex.begin(), end) + "\r\n" + std::string(size, 'x') + "\r\n0\r\n\r\n";
}

// Answers with the received body; for /hold only when it is released, with the share reduced to
// `left` until then.
class HeldEcho {
public:
    explicit HeldEcho(TestServer& server, std::optional<std::size_t> left = {})
    {
        server.handler.on_request = [this, left](Exchange& exchange) -> Task<Response> {
            Response response = co_await echo(exchange);
            if (exchange.request().path != "/hold") co_return response;
            if (left) exchange.shrink_body_share(*left);
            holding_.set_value();
            Timer pause(co_await boost::asio::this_coro::executor);
            while (!released_) {
                pause.expires_after(milliseconds(5));
                co_await pause.async_wait(awaiting);
            }
            co_return response;
        };
    }

    void wait_for_one() { holding_.get_future().wait(); }
    void release() { released_ = true; }

private:
    std::promise<void> holding_;
    std::atomic<bool> released_{false};
};

TEST(ConnectionMemory, ClientsWithoutAUserLeaveHalfOfTheRoomToUsers)
{
    Limits limits;
    limits.max_bodies_in_flight = 100'000;
    TestServer server(limits);
    server.handler.on_request = [](Exchange& exchange) {
        const std::string_view path = exchange.request().path;
        return echo_within(exchange, 1'000'000,
                           {.client = exchange.peer().address, .user = path.substr(1)});
    };
    const auto status_of_body = [&](const std::string& path, std::size_t bytes) {
        RawClient client(server);
        client.send(post(path, bytes));
        return status_of(client.read_until("\r\n\r\n"));
    };
    EXPECT_EQ(status_of_body("/", 16'384 + 60'000), 503);
    EXPECT_EQ(status_of_body("/ana", 16'384 + 60'000), 200);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(status_of_body("/", 16'384 + 40'000), 200) << "it is released after the response";
}

TEST(ConnectionMemory, AllBodiesTogetherHaveALimit)
{
    Limits limits;
    limits.max_bodies_in_flight = 80'000;
    TestServer server(limits);
    HeldEcho held(server);
    RawClient first(server);
    first.send(post("/hold", 60'000));
    held.wait_for_one();
    RawClient second(server);
    second.send(post("/", 60'000));
    EXPECT_EQ(status_of(second.read_until("\r\n\r\n")), 503);
    held.release();
    EXPECT_EQ(status_of(first.read_until("\r\n\r\nx")), 200);
    // The memory of an answered request is free when the next one is read.
    first.read_until(std::string(1000, 'x'));
    for (int status = 0; status != 200;) {
        RawClient third(server);
        third.send(post("/", 60'000));
        status = status_of(third.read_until("\r\n\r\n"));
    }
}

TEST(ConnectionMemory, TheFirstBytesOfABodyAreNotCounted)
{
    Limits limits;
    limits.max_bodies_in_flight = 60'000;
    TestServer server(limits);
    HeldEcho held(server);
    RawClient first(server);
    first.send(post("/hold", 16'384 + 60'000));
    held.wait_for_one();
    EXPECT_EQ(server->body_bytes(), 60'000U);
    for (const std::string& small : {post("/", 16'384), chunked_post("/", 16'384)}) {
        RawClient other(server);
        other.send(small);
        EXPECT_EQ(status_of(other.read_until("\r\n\r\nx")), 200)
            << "there is no room to be counted";
    }
    for (const std::string& large : {post("/", 16'385), chunked_post("/", 16'385)}) {
        RawClient other(server);
        other.send(large);
        EXPECT_EQ(status_of(other.read_until("\r\n\r\n")), 503);
    }
    held.release();
    EXPECT_EQ(status_of(first.read_until("\r\n\r\nx")), 200);
}

TEST(ConnectionMemory, ABodyThatIsGoneFromMemoryHoldsNoShare)
{
    Limits limits;
    limits.max_bodies_in_flight = 80'000;
    TestServer server(limits);
    HeldEcho held(server, 1000);  // The share of a body that stays reserved while the answer is
                                  // pending.
    RawClient first(server);
    first.send(post("/hold", 60'000));
    held.wait_for_one();
    EXPECT_EQ(server->body_bytes(), 1000U);
    RawClient second(server);
    second.send(post("/", 60'000));
    EXPECT_EQ(status_of(second.read_until("\r\n\r\nx")), 200);
    held.release();
    EXPECT_EQ(status_of(first.read_until("\r\n\r\nx")), 200);
}

TEST(ConnectionMemory, MemoryOfStreamsIsChargedUntilItIsLetGoOf)
{
    Limits limits;
    limits.max_responses_per_payer = 1000;
    TestServer server(limits);
    std::vector<Charge> charges;  // There is one loop for the one client.
    server.handler.on_request = [&](Exchange& exchange) -> Task<Response> {
        if (exchange.request().path == "/let-go") charges.clear();
        const auto charge = exchange.charge_response(600, {.client = {}, .user = "ana"});
        if (charge) charges.push_back(*charge);
        co_return Response{.status = charge ? 200 : 503, .fields = {}, .body = {}};
    };
    RawClient client(server);
    const auto ask = [&](const std::string& path) {
        client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        return status_of(client.read_until("\r\n\r\n"));
    };
    EXPECT_EQ(ask("/"), 200);
    EXPECT_EQ(ask("/"), 503) << "held beyond the end of the request";
    EXPECT_EQ(ask("/let-go"), 200);
    server->cut_all();
    server->wait_until_empty(milliseconds(5000));
    charges.clear();
}

}  // namespace
}  // namespace parley::http
