// The client over TLS, against our own server.
#include "http/client/blocking.hpp"
#include "http/client/certificates_for_tests.hpp"
#include "http/server_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::http::client {
namespace {

class ClientTlsTest : public testing::Test {
protected:
    // Connects to a server with this certificate, by that name, trusting `trusted`.
    ClientResult<ClientResponse> ask(const TestAuthority::Files& files, const std::string& host,
                                     const std::string& trusted)
    {
        TlsIdentity identity({.certificate = files.certificate, .key = files.key});
        EXPECT_TRUE(identity.load());
        TestServer server({}, {}, &identity);
        server.handler.on_request = echo;
        BlockingClient client({.ca_file = trusted});
        const std::string url = "https://" + host + ":" + std::to_string(server.port()) + "/";
        auto first = client.post(url, std::string(100'000, 'x'));
        if (first) {
            EXPECT_EQ(first->body.size(), 100'000u);
            EXPECT_EQ(client.get(url).value().body, "");
            EXPECT_EQ(server->accepted(), 1u);  // The connection was kept.
        }
        return first;
    }
    void expect_refused(const ClientResult<ClientResponse>& response, const std::string& why)
    {
        ASSERT_FALSE(response);
        EXPECT_EQ(response.error().kind, ClientFailure::tls);
        EXPECT_TRUE(response.error().before_first_byte);
        EXPECT_NE(response.error().message.find(why), std::string::npos)
            << response.error().message;
    }

    TestAuthority authority_;
};

TEST_F(ClientTlsTest, TrustsACertificateOfTheAuthorityItWasGiven)
{
    const auto files = authority_.issue("DNS:localhost,IP:127.0.0.1");
    for (const char* host : {"localhost", "127.0.0.1"}) {
        const auto response = ask(files, host, authority_.certificate());
        EXPECT_TRUE(response) << response.error().message;
    }
}

TEST_F(ClientTlsTest, TrustsNoAuthorityThatItDoesNotKnow)
{
    TestAuthority other;
    const auto files = authority_.issue("DNS:localhost");
    expect_refused(ask(files, "localhost", ""), "not trusted");
    expect_refused(ask(files, "localhost", other.certificate()), "not trusted");
}

TEST_F(ClientTlsTest, TrustsNoCertificateOfAnotherHost)
{
    const auto files = authority_.issue("DNS:other.example");
    expect_refused(ask(files, "localhost", authority_.certificate()), "ostname mismatch");
    const auto named = authority_.issue("DNS:localhost");
    expect_refused(ask(named, "127.0.0.1", authority_.certificate()), "address mismatch");
}

TEST_F(ClientTlsTest, DoesNotTakeACommonNameForAHost)
{
    expect_refused(ask(authority_.issue(""), "localhost", authority_.certificate()),
                   "ostname mismatch");
}

TEST_F(ClientTlsTest, TrustsNoCertificateThatHasExpired)
{
    const auto files = authority_.issue("DNS:localhost", -1);
    expect_refused(ask(files, "localhost", authority_.certificate()), "expired");
}

TEST_F(ClientTlsTest, SaysWhichFileOfAuthoritiesItCannotRead)
{
    const auto files = authority_.issue("DNS:localhost");
    expect_refused(ask(files, "localhost", "/nowhere/authorities.pem"), "/nowhere/authorities.pem");
}

TEST_F(ClientTlsTest, CanReadTheAuthoritiesBeforeTheFirstRequest)
{
    Loop loop(system_clock());
    EXPECT_TRUE(Client(loop, {.ca_file = authority_.certificate()}).prepare_tls());
    const auto prepared = Client(loop, {.ca_file = authority_.issue("").key}).prepare_tls();
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().kind, ClientFailure::tls);
}

TEST_F(ClientTlsTest, SaysThatAServerDoesNotSpeakTls)
{
    TestServer server;
    BlockingClient client;
    const auto response = client.get("https://127.0.0.1:" + std::to_string(server.port()));
    expect_refused(response, "Cannot make a TLS connection");
}

}  // namespace
}  // namespace parley::http::client
