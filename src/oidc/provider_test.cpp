#include "oidc/provider.hpp"

#include "base/mutex.hpp"
#include "http/client/peer_for_tests.hpp"
#include "oidc/signer_for_tests.hpp"
#include "oidc/token_request.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <map>

namespace parley::oidc {
namespace {

using http::client::ScriptedConnection;

class ProviderTest : public testing::Test {
protected:
    ProviderTest()
    {
        options.issuer = "http://" + peer.host_and_port();
        options.client_id = "parley";
        options.redirect_uri = "https://chat.example.org/";
        set("/.well-known/openid-configuration", boost::json::serialize(metadata()));
        set("/keys", signer.key_set());
    }
    ~ProviderTest() override
    {
        provider.reset();
        clients.reset();
        loops.stop();
    }

    boost::json::object metadata() const
    {
        return {{"issuer", options.issuer},
                {"authorization_endpoint", options.issuer + "/authorize"},
                {"token_endpoint", options.issuer + "/token"},
                {"jwks_uri", options.issuer + "/keys"},
                {"userinfo_endpoint", options.issuer + "/me"}};
    }
    void open(Secret secret = Secret("s:1"))
    {
        provider =
            std::make_unique<Provider>(options, std::move(secret), Secret("key"), *clients, time);
    }
    void set(const std::string& path, std::string body, std::string status = "200 OK")
    {
        const MutexLock lock(mutex);
        bodies[path] = "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
                       "\r\n\r\n" + body;
    }
    int count(const std::string& path)
    {
        const MutexLock lock(mutex);
        return counts[path];
    }
    std::string last_request(const std::string& path)
    {
        const MutexLock lock(mutex);
        return requests[path];
    }
    template <class T>
    T run(Task<T> task)
    {
        return boost::asio::co_spawn(loops[0].executor(), std::move(task), boost::asio::use_future)
            .get();
    }
    Begun begin() { return run(provider->begin()).value(); }
    static std::string parameter(const std::string& url, const std::string& name)
    {
        const std::size_t at = url.find(name + "=") + name.size() + 1;
        return url.substr(at, url.find('&', at) - at);
    }
    // Comes back from the provider, which says this with the nonce of the attempt.
    Result<Person> finish(boost::json::object more = {}, std::string named_issuer = {})
    {
        const Begun begun = begin();
        auto attempt =
            provider->open(begun.attempt, parameter(begun.url, "state"), named_issuer).value();
        const auto now = std::chrono::floor<std::chrono::seconds>(clock.now().time_since_epoch());
        boost::json::object claims{{"iss", options.issuer}, {"sub", "7"},
                                   {"aud", "parley"},       {"exp", now.count() + 300},
                                   {"iat", now.count()},    {"nonce", attempt.nonce},
                                   {"email", "ana@a"}};
        for (const auto& each : more) claims[each.key()] = each.value();
        answer_with(signer.token(claims));
        return run(provider->identify(std::move(attempt), {"the code", std::move(named_issuer)}));
    }
    void answer_with(const std::string& token)
    {
        set("/token", boost::json::serialize(
                          boost::json::object{{"id_token", token}, {"access_token", "at"}}));
    }

    Signer signer = Signer::p256("1");
    Mutex mutex;
    std::map<std::string, std::string> bodies GUARDED_BY(mutex);
    std::map<std::string, std::string> requests GUARDED_BY(mutex);
    std::map<std::string, int> counts GUARDED_BY(mutex);
    http::client::ScriptedPeer peer{{4, [this](ScriptedConnection& client) { serve(client); }}};
    ManualClock clock;
    TrustedTime time{clock, "boot"};
    http::Loops loops{1, system_clock()};
    std::unique_ptr<http::client::Clients> clients = std::make_unique<http::client::Clients>(loops);
    Options options;
    std::unique_ptr<Provider> provider;

private:
    void serve(ScriptedConnection& client)
    {
        for (std::string request = client.hear(); !request.empty(); request = client.hear()) {
            const std::size_t begin = request.find(' ') + 1;
            const std::string path = request.substr(begin, request.find(' ', begin) - begin);
            std::string answer;
            {
                const MutexLock lock(mutex);
                answer = bodies[path];
                ++counts[path];
                requests[path] = std::move(request);
            }
            client.say(answer);
        }
    }
};

TEST_F(ProviderTest, IdentifiesAPerson)
{
    open();
    const Begun begun = begin();
    EXPECT_TRUE(begun.url.starts_with(options.issuer + "/authorize?response_type=code&"));
    EXPECT_EQ(parameter(begun.url, "redirect_uri"), "https%3A%2F%2Fchat.example.org%2F");
    EXPECT_EQ(parameter(begun.url, "scope"), "openid%20profile%20email");
    EXPECT_EQ(parameter(begun.url, "code_challenge_method"), "S256");
    const auto person = finish({{"preferred_username", "ana"}});
    ASSERT_TRUE(person) << person.error().detail;
    EXPECT_EQ(person->subject, "7");
    EXPECT_EQ(person->names.front(), "ana");
    const std::string request = last_request("/token");
    EXPECT_NE(request.find("Authorization: Basic cGFybGV5OnMlM0Ex\r\n"), request.npos)
        << "each part is percent-encoded";
    EXPECT_NE(request.find("code=the%20code&"), request.npos);
    EXPECT_EQ(request.find("client_id="), request.npos);
    EXPECT_EQ(count("/.well-known/openid-configuration"), 1) << "cached";
    clock.advance(std::chrono::hours(1));
    begin();
    EXPECT_EQ(count("/.well-known/openid-configuration"), 2);
}

TEST_F(ProviderTest, NamesAPublicClientInTheBody)
{
    open({});
    ASSERT_TRUE(finish());
    const std::string request = last_request("/token");
    EXPECT_NE(request.find("&client_id=parley"), request.npos);
    EXPECT_EQ(request.find("Authorization"), request.npos);
}

TEST_F(ProviderTest, RefusesTokensThatAreNotForThisAttempt)
{
    open();
    for (const boost::json::object& wrong :
         {boost::json::object{{"nonce", "x"}}, boost::json::object{{"aud", "x"}},
          boost::json::object{{"iss", "x"}}, boost::json::object{{"iat", 1}}})
        EXPECT_EQ(finish(wrong).error().code, Errc::invalid_credentials);
    signer = Signer::p256("1");
    EXPECT_EQ(finish().error().detail, "the signature is wrong");
}

TEST_F(ProviderTest, FetchesKeysAgainOnceAMinuteAtMost)
{
    open();
    ASSERT_TRUE(finish());
    signer = Signer::p256("2");
    EXPECT_EQ(finish().error().detail, "the provider has no such key");
    EXPECT_EQ(count("/keys"), 1) << "they are new";
    clock.advance(std::chrono::minutes(1));
    EXPECT_FALSE(finish());
    EXPECT_FALSE(finish());
    EXPECT_EQ(count("/keys"), 2);
    set("/keys", signer.key_set());
    clock.advance(std::chrono::minutes(1));
    EXPECT_TRUE(finish());
    EXPECT_TRUE(finish());
    EXPECT_EQ(count("/keys"), 3);
}

TEST_F(ProviderTest, FetchesKeysWithoutIdsAgain)
{
    signer = Signer::p256("");
    set("/keys", signer.key_set());
    open();
    ASSERT_TRUE(finish());
    signer = Signer::p256("");
    set("/keys", signer.key_set());
    EXPECT_EQ(finish().error().detail, "the signature is wrong");
    EXPECT_EQ(count("/keys"), 1) << "they are new";
    clock.advance(std::chrono::minutes(1));
    EXPECT_TRUE(finish());
    EXPECT_EQ(count("/keys"), 2);
}

TEST_F(ProviderTest, MustNameItselfIfItPromisesTo)
{
    auto promising = metadata();
    promising["authorization_response_iss_parameter_supported"] = true;
    set("/.well-known/openid-configuration", boost::json::serialize(promising));
    open();
    const auto refused = finish();
    EXPECT_EQ(refused.error().code, Errc::invalid_credentials);
    EXPECT_EQ(count("/token"), 0) << "the code is sent to nobody";
    EXPECT_TRUE(finish({}, options.issuer));
}

TEST_F(ProviderTest, AsksForClaimsThatTheTokenLacks)
{
    options.operator_groups = {"ops"};
    open();
    set("/me", R"({"sub":"7","groups":["ops"],"email":"other@a","name":"Ana"})");
    const auto person = finish();
    ASSERT_TRUE(person) << person.error().detail;
    EXPECT_EQ(person->role, Role::operator_);
    EXPECT_EQ(person->names, std::vector<std::string>{"ana"}) << "the token's own wins";
    EXPECT_NE(last_request("/me").find("Authorization: Bearer at\r\n"), std::string::npos);
    EXPECT_EQ(finish({{"groups", "all"}})->role, Role::member);
    EXPECT_EQ(count("/me"), 1);
    set("/me", R"({"sub":"8","groups":["ops"]})");
    EXPECT_EQ(finish().error().code, Errc::provider_error) << "of another person";
}

TEST_F(ProviderTest, SaysWhatIsWrongWithTheProvider)
{
    open();
    const Begun begun = begin();
    const auto attempt = provider->open(begun.attempt, parameter(begun.url, "state"), "").value();
    const auto code_of = [&](std::string body, std::string status) {
        set("/token", std::move(body), std::move(status));
        return run(provider->identify(attempt, {"c"})).error().code;
    };
    EXPECT_EQ(code_of(R"({"error":"invalid_grant"})", "400 Bad Request"),
              Errc::invalid_credentials);
    EXPECT_EQ(code_of(R"({"error":"invalid_client"})", "401 Unauthorized"), Errc::provider_error);
    EXPECT_EQ(code_of("<html>", "502 Bad Gateway"), Errc::provider_error);
    EXPECT_EQ(code_of("{}", "200 OK"), Errc::provider_error);
    EXPECT_EQ(code_of(R"({"id_token":7})", "200 OK"), Errc::provider_error);
    EXPECT_EQ(code_of(R"({"id_token":"x"})", "200 OK"), Errc::invalid_credentials);
    set("/keys", "{}", "500 Internal Server Error");
    EXPECT_EQ(finish().error().code, Errc::provider_error);
    EXPECT_EQ(code_of(std::string(600'000, ' '), "200 OK"), Errc::provider_error) << "too large";
}

TEST_F(ProviderTest, TakesBackOnlyItsOwnAttempts)
{
    open();
    const Begun begun = begin();
    const std::string state = parameter(begun.url, "state");
    EXPECT_TRUE(provider->open(begun.attempt, state, options.issuer));
    EXPECT_FALSE(provider->open(begun.attempt, state, "https://other.example"));
    EXPECT_FALSE(provider->open(begun.attempt, "x", ""));
    clock.advance(Attempts::life);
    EXPECT_FALSE(provider->open(begun.attempt, state, ""));
}

TEST_F(ProviderTest, IsNotThereWithoutAnIssuer)
{
    options.issuer.clear();
    open();
    EXPECT_EQ(run(provider->begin()).error().code, Errc::not_found);
    EXPECT_EQ(provider->open("a", "b", "").error().code, Errc::not_found);
}

}  // namespace
}  // namespace parley::oidc
