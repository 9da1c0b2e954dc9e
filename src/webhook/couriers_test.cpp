// The couriers with a store in memory, a clock that tests move, and receivers on this machine.
#include "webhook/couriers.hpp"

#include "auth/scope.hpp"
#include "base/block_on.hpp"
#include "base/id.hpp"
#include "http/server_for_tests.hpp"
#include "store/sqlite/memory_store.hpp"
#include "webhook/retry.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace parley::webhook {
namespace {

using namespace std::chrono_literals;

class PlainPayloads final : public Payloads {
public:
    std::string event(const Owner& /*owner*/, const store::Event& event) const override
    {
        return "{\"n\":" + std::to_string(event.number) + "}";
    }
    std::string test_event(const Owner& /*owner*/, const store::Delivery& /*delivery*/,
                           const Cause& /*cause*/) const override
    {
        return "{}";
    }
    Task<Result<std::string>> with_snapshot(const store::Webhook& /*webhook*/,
                                            const store::Delivery& delivery) const override
    {
        // The first one takes longest.
        Timer timer(co_await boost::asio::this_coro::executor,
                    std::chrono::milliseconds(std::max(0, 40 - 20 * made++)));
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
        if (failures > 0) {
            --failures;
            co_return Error{Errc::storage_unavailable, "not now"};
        }
        co_return delivery.body + "full";
    }

    mutable std::atomic<int> made = 0;
    mutable std::atomic<int> failures = 0;
};

// Accepts connections and never answers.
class Hanging {
public:
    std::string url() const
    {
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/";
    }

private:
    boost::asio::io_context context_;
    boost::asio::ip::tcp::acceptor acceptor_{context_,
                                             {boost::asio::ip::address_v4::loopback(), 0}};
};

class CouriersTest : public testing::Test {
protected:
    explicit CouriersTest(const Places::Limits& its_limits = {}) : limits(its_limits)
    {
        store::User user;
        user.id = owner.user;
        user.username = user.name_key = "ana";
        user.created_at = clock.now();
        EXPECT_TRUE(block_on(store->accounts().add_user(user)));
        server.handler.on_request = [this](http::Exchange& exchange) { return answer(exchange); };
        store->events().signal().observe(
            [this](const std::set<Owner>& owners) { couriers->heard(owners); });
        couriers->start();
    }
    ~CouriersTest() override
    {
        store->events().signal().observe(nullptr);
        couriers->stop();
        EXPECT_TRUE(couriers->wait_until_idle(10s));
        loops.stop();
    }

    Task<http::Response> answer(http::Exchange& exchange)
    {
        const std::string body = (co_await exchange.body(100'000, {})).value();
        http::Response response;
        std::function<void()> asked;
        {
            const std::lock_guard lock(mutex);
            asked.swap(when_asked);
        }
        if (asked) asked();
        const std::lock_guard lock(mutex);
        received.push_back(body);
        response.status = failing.contains(body) ? 500 : status;
        if (retry_after > 0) response.fields.add("Retry-After", std::to_string(retry_after));
        co_return response;
    }
    std::vector<std::string> bodies()
    {
        const std::lock_guard lock(mutex);
        return received;
    }
    // Ends what is being sent.
    void sender_aborts()
    {
        boost::asio::post(loops[0].executor(), [this] { sender.abort(); });
    }
    void wait_for(std::size_t count)
    {
        until([&] { return bodies().size() >= count; });
    }
    static void until(const std::function<bool()>& seen)
    {
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        while (!seen()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "it never came true";
            std::this_thread::sleep_for(2ms);
        }
    }

    store::Webhook created(const std::string& url, bool ordered = false,
                           WebhookPayload payload = WebhookPayload::thin)
    {
        store::Webhook wanted{.id = new_id("whk", clock.now()),
                              .owner = owner,
                              .url = url,
                              .event_types = "chat.session.created",
                              .scopes = auth::Scopes{auth::Scope::chat_read}.bits(),
                              .payload = payload,
                              .ordered = ordered,
                              .metadata = "{}",
                              .created_at = clock.now()};
        const SigningSecret secret = SigningSecret::make();
        wanted.secret = {.sealed = sealer.seal(wanted.id, secret.text()), .hint = secret.hint()};
        auto made = block_on(store->webhooks().create(wanted, 1000, std::nullopt, {})).value();
        couriers->wake(made.webhook.id, owner);
        return made.webhook;
    }
    std::string own_url() const
    {
        return "http://127.0.0.1:" + std::to_string(server.port()) + "/";
    }
    // An event that endpoints want.
    void happen()
    {
        clock.advance(1ms);
        const store::Session session{.id = new_id("ses", clock.now()),
                                     .owner = owner,
                                     .created_at = clock.now(),
                                     .updated_at = clock.now()};
        EXPECT_TRUE(block_on(store->sessions().create_session(session)));
    }
    std::vector<store::Delivery> deliveries(const store::Webhook& webhook)
    {
        return block_on(store->deliveries().list(owner, webhook.id, std::nullopt, std::nullopt, 10))
            .value()
            .items;
    }
    store::Delivery only_delivery(const store::Webhook& webhook)
    {
        return deliveries(webhook).at(0);
    }
    // After so many attempts.
    store::Delivery settled(const store::Webhook& webhook, std::size_t attempts)
    {
        until([&] {
            const auto made = deliveries(webhook);
            return !made.empty() && made.front().attempts.size() == attempts;
        });
        return only_delivery(webhook);
    }

    const Places::Limits limits;
    const Owner owner{"usr_1", false};
    ManualClock clock;
    std::mutex mutex;
    std::vector<std::string> received;
    std::set<std::string> failing;     // Bodies that get 500.
    std::function<void()> when_asked;  // Called once, before the response.
    int status = 204;
    int retry_after = 0;
    http::TestServer server;
    http::Loops loops{1, system_clock()};  // The store still answers it when all else has ended.
    std::unique_ptr<store::Store> store = store::make_memory_store();
    http::client::Resolver resolver;
    http::client::Client client{loops[0], {.resolver = &resolver, .max_idle = 0}};
    const PlainPayloads payloads;
    const Sealer sealer{Secret("a key for tests")};
    Sender sender{client,
                  clock,
                  {.timeout = 15s,
                   .allow_http = true,
                   .address_rule = http::client::public_addresses(
                       {http::client::Network::parse("127.0.0.0/8").value()})}};
    const std::shared_ptr<Couriers> couriers =
        std::make_shared<Couriers>(Couriers::Services{.loop = loops[0],
                                                      .store = *store,
                                                      .payloads = payloads,
                                                      .sealer = sealer,
                                                      .sender = sender,
                                                      .clock = clock},
                                   limits);
};

// Only one delivery is sent at a time.
class OnePlaceTest : public CouriersTest {
protected:
    OnePlaceTest() : CouriersTest({.all = 1, .of_host = 1, .of_endpoint = 1}) {}
};

TEST_F(CouriersTest, SendEachEventOnce)
{
    const store::Webhook webhook = created(own_url(), true);
    for (int i = 0; i < 5; ++i) happen();
    wait_for(5);
    until([&] { return couriers->figures().succeeded == 5; });
    const auto first = webhook.cursor + 1;
    std::vector<std::string> expected;
    for (int i = 0; i < 5; ++i) expected.push_back("{\"n\":" + std::to_string(first + i) + "}");
    EXPECT_EQ(bodies(), expected);
    EXPECT_EQ(couriers->figures().failed, 0U);
    EXPECT_EQ(couriers->figures().endpoints, 1U);
}

TEST_F(CouriersTest, TryAgainAtThePublishedTimes)
{
    status = 500;
    const store::Webhook webhook = created(own_url());
    happen();
    for (std::size_t tries = 1; tries < most_tries; ++tries) {
        const store::Delivery now = settled(webhook, tries);
        const auto ended = now.attempts.back().at + now.attempts.back().duration;
        const auto least = wait_before_next_try(tries, std::nullopt, 0).value();
        ASSERT_TRUE(now.next_attempt_at);
        EXPECT_GE(*now.next_attempt_at, ended + least);
        EXPECT_LE(*now.next_attempt_at, ended + least + least / 10);
        // One moment earlier nothing is due.
        clock.set(*now.next_attempt_at - 1ms);
        EXPECT_TRUE(block_on(store->deliveries().due(webhook.id, false, clock.now(), 1))
                        .value()
                        .deliveries.empty());
        clock.set(*now.next_attempt_at);
        couriers->wake(webhook.id, owner);
    }
    const store::Delivery last = settled(webhook, most_tries);
    EXPECT_EQ(last.status, DeliveryStatus::failed);
    EXPECT_FALSE(last.next_attempt_at);
    EXPECT_EQ(bodies(), std::vector<std::string>(most_tries, last.body));
}

TEST_F(CouriersTest, WaitAsLongAsTheReceiverAsks)
{
    status = 503;
    retry_after = 600;
    const store::Webhook webhook = created(own_url());
    happen();
    const store::Delivery now = settled(webhook, 1);
    EXPECT_GE(*now.next_attempt_at, now.attempts[0].at + 600s);
    EXPECT_LE(*now.next_attempt_at, now.attempts[0].at + now.attempts[0].duration + 660s);
}

TEST_F(CouriersTest, DisableWhatIsGone)
{
    status = 410;
    const store::Webhook webhook = created(own_url());
    happen();
    const auto reason = [&] {
        return block_on(store->webhooks().find(owner, webhook.id)).value().disabled_reason;
    };
    until([&] { return reason().has_value() && couriers->figures().endpoints == 0; });
    EXPECT_EQ(reason(), DisabledReason::gone);
    happen();
    EXPECT_EQ(bodies().size(), 1U);
}

TEST_F(CouriersTest, AFailureHoldsUpOnlyAnOrderedEndpoint)
{
    const store::Webhook webhook = created(own_url(), true);
    const auto body = [&](int i) { return "{\"n\":" + std::to_string(webhook.cursor + i) + "}"; };
    failing = {body(2)};
    for (int i = 0; i < 3; ++i) happen();
    until([&] { return couriers->figures().failed == 1; });
    EXPECT_EQ(bodies(), (std::vector{body(1), body(2)}));
    {
        const std::lock_guard lock(mutex);
        failing.clear();
    }
    clock.advance(10s);
    couriers->wake(webhook.id, owner);
    wait_for(4);
    EXPECT_EQ(bodies(), (std::vector{body(1), body(2), body(2), body(3)}));
}

TEST_F(CouriersTest, StartFirstTriesInOrderWithSnapshots)
{
    const store::Webhook webhook = created(own_url(), false, WebhookPayload::full);
    until([&] { return couriers->figures().endpoints == 1; });
    std::vector<std::string> expected;
    for (int i = 1; i <= 3; ++i)
        expected.push_back("{\"n\":" + std::to_string(webhook.cursor + i) + "}full");
    for (int i = 0; i < 3; ++i) happen();
    wait_for(3);
    EXPECT_EQ(bodies(), expected);
}

TEST_F(CouriersTest, SendNothingWhileASnapshotCannotBeRead)
{
    payloads.failures = 1;
    const store::Webhook webhook = created(own_url(), false, WebhookPayload::full);
    happen();
    until([&] { return payloads.failures == 0; });
    clock.advance(2s);
    wait_for(1);
    EXPECT_EQ(settled(webhook, 1).status, DeliveryStatus::succeeded);
    EXPECT_EQ(bodies().size(), 1U);
    EXPECT_TRUE(bodies()[0].ends_with("full"));
}

TEST_F(CouriersTest, ARedeliveryIsNotLostWhileTheLastTryRuns)
{
    status = 500;
    const store::Webhook webhook = created(own_url());
    happen();
    settled(webhook, 1);
    const auto again = [&] {
        ASSERT_TRUE(
            block_on(store->deliveries().redeliver(owner, webhook.id, only_delivery(webhook).id)));
    };
    {
        const std::lock_guard lock(mutex);
        when_asked = again;  // While the second try runs.
    }
    clock.advance(10s);
    couriers->wake(webhook.id, owner);
    const store::Delivery now = settled(webhook, 3);
    EXPECT_EQ(now.tries, 1) << "it has all its tries again";
}

TEST_F(OnePlaceTest, EndpointsGetItInTheOrderInWhichTheyCame)
{
    const Hanging hanging;
    const store::Webhook first = created(hanging.url());
    happen();
    until([&] { return couriers->figures().sending == 1; });
    std::vector<store::Webhook> waiting;
    for (int i = 0; i < 3; ++i) {
        waiting.push_back(created(own_url()));
        until([&] { return couriers->figures().endpoints == waiting.size() + 1; });
    }
    // They wait for the place since they were created; the last one is woken first.
    for (auto each = waiting.rbegin(); each != waiting.rend(); ++each) {
        const store::Delivery test{.id = new_id("dlv", clock.now()),
                                   .webhook = each->id,
                                   .event = new_id("evt", clock.now()),
                                   .event_type = "webhook.test",
                                   .body = each->id,
                                   .created_at = clock.now()};
        ASSERT_TRUE(block_on(store->deliveries().add(owner, test)));
        couriers->wake(each->id, owner);
        std::this_thread::sleep_for(20ms);
    }
    sender_aborts();
    wait_for(3);
    EXPECT_EQ(bodies(), (std::vector{waiting[0].id, waiting[1].id, waiting[2].id}));
}

TEST_F(CouriersTest, EndpointsThatHangDoNotDelayOthers)
{
    const Hanging hanging;
    for (int i = 0; i < 100; ++i) created(hanging.url() + std::to_string(i));
    for (int i = 0; i < 4; ++i) happen();
    until([&] { return couriers->figures().sending >= 64; });
    created(own_url());
    const auto begun = std::chrono::steady_clock::now();
    happen();
    wait_for(1);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 2s);
    EXPECT_LE(couriers->figures().sending, 256U);
}

}  // namespace
}  // namespace parley::webhook
