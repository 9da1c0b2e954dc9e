#include "webhook/sender.hpp"

#include "http/client/blocking.hpp"
#include "http/client/peer_for_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace parley::webhook {
namespace {

using http::client::Addresses;
using http::client::ScriptedConnection;
using http::client::ScriptedPeer;
using namespace std::chrono_literals;
namespace ip = boost::asio::ip;

class SenderTest : public testing::Test {
protected:
    SentAttempt send(const std::string& url)
    {
        const std::array secrets{SigningSecret::parse(secret_).value()};
        return client_.run([&](http::client::Client& client) -> Task<SentAttempt> {
            Sender sender(client, system_clock(),
                          {.timeout = 1s,
                           .allow_http = true,
                           .address_rule = http::client::public_addresses(allowed_)});
            co_return co_await sender.send({.url = url, .event = "evt_1", .body = "{}"}, secrets);
        });
    }
    SentAttempt send_to(const ScriptedPeer& peer) { return send("http://" + peer.host_and_port()); }
    SentAttempt answered(const std::string& response)
    {
        const ScriptedPeer peer({ScriptedPeer::answering(response)});
        return send_to(peer);
    }
    static std::string ok(const std::string& body)
    {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
               body;
    }

    const std::string secret_ = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    std::vector<http::client::Network> allowed_{
        http::client::Network::parse("127.0.0.1/32").value()};
    std::map<std::string, Addresses> names_;
    http::client::Resolver resolver_{{}, [this](const std::string& name) { return names_[name]; }};
    http::client::BlockingClient client_{
        {.user_agent = "parley/test", .resolver = &resolver_, .max_idle = 0}};
};

TEST_F(SenderTest, SignsWhatItSends)
{
    std::string heard;
    const ScriptedPeer peer({[&](ScriptedConnection& client) {
        heard = client.hear();
        client.say(ok("thanks"));
    }});
    const SentAttempt sent = send_to(peer);
    EXPECT_TRUE(sent.succeeded());
    EXPECT_EQ(sent.attempt.status, 200);
    EXPECT_FALSE(sent.attempt.error);
    EXPECT_EQ(sent.attempt.response, "thanks");
    const auto field = [&](const std::string& name) {
        const std::size_t begin = heard.find("\r\n" + name + ": ") + name.size() + 4;
        return heard.substr(begin, heard.find("\r\n", begin) - begin);
    };
    EXPECT_TRUE(heard.starts_with("POST / HTTP/1.1\r\n"));
    EXPECT_EQ(field("User-Agent"), "parley/test");
    EXPECT_EQ(field("Content-Type"), "application/json");
    const std::array secrets{SigningSecret::parse(secret_).value()};
    EXPECT_EQ(field("webhook-id"), "evt_1");
    EXPECT_TRUE(
        verify({field("webhook-id"), field("webhook-timestamp"), field("webhook-signature")}, "{}",
               secrets, system_clock().now()));
}

TEST_F(SenderTest, JudgesByTheStatus)
{
    const auto status = [&](const std::string& line) {
        return answered("HTTP/1.1 " + line + "\r\nContent-Length: 0\r\n\r\n");
    };
    EXPECT_TRUE(status("204 No Content").succeeded());
    EXPECT_TRUE(status("299 Odd").succeeded());
    EXPECT_FALSE(status("300 Choices").succeeded());
    EXPECT_FALSE(status("500 Failed").succeeded());
    EXPECT_FALSE(status("500 Failed").attempt.error);
    EXPECT_TRUE(status("410 Gone").is_gone());
}

TEST_F(SenderTest, FollowsNoRedirect)
{
    const ScriptedPeer target({ScriptedPeer::answering(ok(""))});
    const SentAttempt sent = answered("HTTP/1.1 307 Moved\r\nLocation: http://" +
                                      target.host_and_port() + "/\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(sent.attempt.status, 307);
    EXPECT_FALSE(sent.succeeded());
    EXPECT_EQ(target.connections(), 0U);
}

TEST_F(SenderTest, SaysInOneWordWhyThereWasNoResponse)
{
    unsigned short closed_port = 0;
    {
        const ScriptedPeer peer({});
        closed_port = peer.url().port();
    }
    EXPECT_EQ(send("http://127.0.0.1:" + std::to_string(closed_port)).attempt.error,
              DeliveryError::connection_refused);
    EXPECT_EQ(send("http://unknown.example/").attempt.error, DeliveryError::name_not_found);
    EXPECT_EQ(answered("no HTTP\r\n\r\n").attempt.error, DeliveryError::bad_response);
    EXPECT_EQ(answered("").attempt.error, DeliveryError::bad_response);
    EXPECT_EQ(
        answered("HTTP/1.1 200 OK\r\nX: " + std::string(30'000, 'x') + "\r\n\r\n").attempt.error,
        DeliveryError::bad_response);
    const ScriptedPeer silent({[](ScriptedConnection& client) { client.client_left(); }});
    const SentAttempt slow = send_to(silent);
    EXPECT_EQ(slow.attempt.error, DeliveryError::timeout);
    EXPECT_GE(slow.attempt.duration, 1s);
    const ScriptedPeer plain({[](ScriptedConnection& client) { client.say("no TLS here\r\n"); }});
    EXPECT_EQ(send("https://" + plain.host_and_port()).attempt.error, DeliveryError::tls);
}

TEST_F(SenderTest, ConnectsOnlyToNamesWithAllowedAddresses)
{
    const ScriptedPeer peer({ScriptedPeer::answering(ok(""))});
    const auto url = [&](const std::string& name) {
        return "http://" + name + ":" + std::to_string(peer.url().port());
    };
    const auto local = ip::make_address("127.0.0.1");
    names_["good.example"] = {local};
    for (const char* refused :
         {"127.0.0.2", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0", "::1",
          "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1", "fd00::1", "ff02::1",
          "::"}) {
        names_["bad.example"] = {local, ip::make_address(refused)};
        const SentAttempt sent = send(url("bad.example"));
        EXPECT_EQ(sent.attempt.error, DeliveryError::address_refused) << refused;
        EXPECT_FALSE(sent.attempt.status);
        EXPECT_FALSE(sent.attempt.response);
    }
    EXPECT_EQ(peer.connections(), 0U);
    EXPECT_TRUE(send(url("good.example")).succeeded());
    EXPECT_EQ(peer.connections(), 1U);
}

TEST_F(SenderTest, LooksANameUpOnce)
{
    // The second answer would lead elsewhere.
    std::atomic<int> lookups = 0;
    http::client::Resolver rebinding({}, [&](const std::string&) {
        return Addresses{ip::make_address(++lookups == 1 ? "127.0.0.1" : "127.0.0.2")};
    });
    http::client::BlockingClient client({.resolver = &rebinding});
    const ScriptedPeer peer({ScriptedPeer::answering(ok(""))});
    http::client::ClientRequest request{
        .url = http::client::Url::parse("http://a.example:" + std::to_string(peer.url().port()))
                   .value()};
    request.address_rule = http::client::public_addresses(allowed_);
    EXPECT_TRUE(client.send(request));
    EXPECT_EQ(lookups, 1);
}

TEST_F(SenderTest, KeepsTheBeginningOfTheResponseAsText)
{
    EXPECT_EQ(answered(ok(std::string(100'000, 'x'))).attempt.response, std::string(1024, 'x'));
    EXPECT_EQ(answered(ok("\xff\x01")).attempt.response, "\xef\xbf\xbd\x01");
    // A character that does not fit is left out.
    EXPECT_EQ(answered(ok(std::string(1023, 'x') + "ä")).attempt.response, std::string(1023, 'x'));
    // A body that never ends does not change the outcome.
    const SentAttempt cut = answered("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    EXPECT_TRUE(cut.succeeded());
    EXPECT_EQ(cut.attempt.response, "half");
}

TEST(RetryAfter, IsSecondsOrADate)
{
    const TimePoint now = ManualClock().now();  // Saturday, 2026-01-31T09:30:00Z.
    EXPECT_EQ(read_retry_after("0", now), 0s);
    EXPECT_EQ(read_retry_after("600", now), 600s);
    for (const char* far : {"4294967296", "99999999999999999999999999"})
        EXPECT_GT(read_retry_after(far, now), 24h) << far;
    EXPECT_EQ(read_retry_after("Sat, 31 Jan 2026 09:40:00 GMT", now), 600s);
    EXPECT_EQ(read_retry_after("Sat, 31 Jan 2026 09:20:00 GMT", now), 0s);
    for (const char* text : {"", "-1", "1.5", "soon", "6 00", "Sat, 31 Jan 2026 09:40:00",
                             "Sat, 31 Jan 2026 09:40:00 GMT+1"})
        EXPECT_FALSE(read_retry_after(text, now)) << text;
}

}  // namespace
}  // namespace parley::webhook
