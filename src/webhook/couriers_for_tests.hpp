// The couriers with a store in memory, a clock that tests move, and receivers on this machine.
#pragma once

#include "auth/scope.hpp"
#include "base/block_on.hpp"
#include "base/id.hpp"
#include "base/trusted_time.hpp"
#include "http/server_for_tests.hpp"
#include "store/sqlite/memory_store.hpp"
#include "webhook/couriers.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace parley::webhook {

using namespace std::chrono_literals;

class PlainPayloads final : public Payloads {
public:
    std::string event(const Owner& /*owner*/, const store::Event& event) const override
    {
        if (meanwhile) std::exchange(meanwhile, nullptr)();
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
        if (meanwhile) std::exchange(meanwhile, nullptr)();
        if (failures > 0) {
            --failures;
            co_return Error{Errc::storage_unavailable, "not now"};
        }
        co_return delivery.body + "full";
    }

    mutable std::atomic<int> made = 0;
    mutable std::atomic<int> failures = 0;
    mutable std::function<void()> meanwhile;  // Called once, while an event or a body is made.
};

// Throws once, if it was told to.
class FaultyClock final : public Clock {
public:
    explicit FaultyClock(const Clock& clock) : clock_(clock) {}
    TimePoint now() const override
    {
        if (throws.exchange(false)) throw std::runtime_error("a fault of this test");
        return clock_.now();
    }
    SteadyPoint steady() const override { return clock_.steady(); }

    mutable std::atomic<bool> throws = false;

private:
    const Clock& clock_;
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
        add_user(owner.user, "ana");
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

    void add_user(const std::string& id, const std::string& name)
    {
        store::User user;
        user.id = id;
        user.username = user.name_key = name;
        user.created_at = clock.now();
        EXPECT_TRUE(block_on(store->accounts().add_user(user)));
    }
    // Has the couriers send an event of this webhook alone.
    void test(const store::Webhook& webhook)
    {
        const store::Delivery test{.id = new_id("dlv", clock.now()),
                                   .webhook = webhook.id,
                                   .event = new_id("evt", clock.now()),
                                   .event_type = "webhook.test",
                                   .body = webhook.id,
                                   .created_at = clock.now()};
        ASSERT_TRUE(block_on(store->deliveries().add(webhook.owner, test)));
        couriers->wake(webhook.id, webhook.owner);
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
        Timer timer(co_await boost::asio::this_coro::executor);
        {
            const std::lock_guard lock(mutex);
            received.push_back(body);
        }
        while (holds) {
            timer.expires_after(2ms);
            boost::system::error_code ignored;
            co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
        }
        const std::lock_guard lock(mutex);
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
        const auto deadline = std::chrono::steady_clock::now() + 1min;
        while (!seen()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "it never came true";
            std::this_thread::sleep_for(2ms);
        }
    }

    store::Webhook created(const std::string& url, bool ordered = false,
                           WebhookPayload payload = WebhookPayload::thin)
    {
        store::Webhook made = kept(url, ordered, payload);
        couriers->wake(made.id, owner);
        return made;
    }
    // The couriers do not know of it yet.
    store::Webhook kept(const std::string& url, bool ordered = false,
                        WebhookPayload payload = WebhookPayload::thin)
    {
        return kept_for(owner, url, ordered, payload);
    }
    store::Webhook kept_for(const Owner& its_owner, const std::string& url, bool ordered = false,
                            WebhookPayload payload = WebhookPayload::thin)
    {
        store::Webhook wanted{.id = new_id("whk", clock.now()),
                              .owner = its_owner,
                              .url = url,
                              .event_types = "chat.session.created",
                              .scopes = auth::Scopes{auth::Scope::chat_read}.bits(),
                              .payload = payload,
                              .ordered = ordered,
                              .metadata = "{}",
                              .created_at = clock.now()};
        const SigningSecret secret = SigningSecret::make();
        wanted.secret = {.sealed = sealer.seal(wanted.id, secret.text()), .hint = secret.hint()};
        return block_on(store->webhooks().create(wanted, 1000, std::nullopt, {})).value().webhook;
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
    TrustedTime time{clock, "boot"};
    std::atomic<int> asked_to_sweep = 0;
    std::mutex mutex;
    std::vector<std::string> received;
    std::set<std::string> failing;     // Bodies that get 500.
    std::function<void()> when_asked;  // Called once, before the response.
    std::atomic<bool> holds = false;   // Sends no response.
    std::atomic<bool> sends = true;    // Whether the couriers may send.
    int status = 204;
    int retry_after = 0;
    http::TestServer server;
    http::Loops loops{1, system_clock()};  // The store still answers it when all else has ended.
    std::unique_ptr<store::Store> store = store::make_memory_store();
    http::client::Resolver resolver;
    http::client::Client client{loops[0], {.resolver = &resolver, .max_idle = 0}};
    const PlainPayloads payloads;
    const Sealer sealer{Secret("a key for tests")};
    const FaultyClock faulty_clock{clock};
    Sender sender{client,
                  faulty_clock,
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
                                                      .clock = clock,
                                                      .may_sweep =
                                                          [this] {
                                                              ++asked_to_sweep;
                                                              return time.may_sweep();
                                                          },
                                                      .may_send = [this] { return sends.load(); }},
                                   limits);
};

}  // namespace parley::webhook
