// Makes deliveries of the events that endpoints want, and sends them: at least once, in the order
// that each endpoint asks for. Everything that waits for other machines runs on one event loop that
// serves nothing else; endpoints and name servers that do not answer delay neither requests nor
// other endpoints.
//
// Nothing is only in memory: after a crash the next process goes on with what is pending.
//
// Threads: start(), stop(), wait_until_idle() from a thread without a loop; heard(), the wake
// functions and user_changed() from any thread; all else on its own loop.
#pragma once

#include "base/mutex.hpp"
#include "base/timer.hpp"
#include "http/loop.hpp"
#include "store/store.hpp"
#include "webhook/payloads.hpp"
#include "webhook/places.hpp"
#include "webhook/sealer.hpp"
#include "webhook/sender.hpp"

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace parley::webhook {

// Since the start.
struct CourierFigures {
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;  // Attempts, not deliveries.
    std::uint64_t sending = 0;
    std::uint64_t endpoints = 0;  // Active ones.
};

class Couriers : public std::enable_shared_from_this<Couriers> {
public:
    struct Services {
        http::Loop& loop;
        store::Store& store;
        const Payloads& payloads;
        const Sealer& sealer;
        Sender& sender;
        const Clock& clock;
        std::function<bool()> may_sweep = {};  // Whether old deliveries may be removed now.
        // Whether this server sends: of several that share the store only one does. Null: always.
        std::function<bool()> may_send = {};
    };
    Couriers(const Services& services, const Places::Limits& limits)
        : services_(services), places_(limits), timer_(services.loop.executor())
    {
    }

    void start();
    // These logs have grown.
    void heard(const std::set<Owner>& owners);
    // This webhook was created or changed, or has a new delivery.
    void wake(const std::string& webhook, const Owner& owner);
    // The same from another server: webhooks of these owners.
    void wake_all_of(const std::set<Owner>& owners);
    // Messages of other servers may have been lost: any webhook may have something to send.
    void wake_all();
    // This user may have been enabled again.
    void user_changed(const std::string& user);
    // Sends nothing any more.
    void stop();
    // After stop(): waits until no task of this is left.
    bool wait_until_idle(std::chrono::milliseconds patience);

    CourierFigures figures() const;

private:
    struct Endpoint {
        std::string id;
        Owner owner;
        std::string host = {};
        bool failing = false;
        bool ordered = false;
        bool is_served = false;                    // A task is looking after it,
        bool is_woken = false;                     // and is to look again.
        bool waits = false;                        // For a place,
        std::optional<std::uint64_t> ticket = {};  // since this number was drawn.
        std::optional<TimePoint> next_at = {};     // The next delivery that is due.
        std::optional<TimePoint> retry_at = {};    // One could not be sent.
        std::set<std::string> running = {};        // Deliveries that are being sent.
    };
    using EndpointRef = std::shared_ptr<Endpoint>;

    // Ends the service of an endpoint, however its task ends; the next one gets its turn.
    class Service {
    public:
        Service(Couriers& couriers, Endpoint& endpoint) : couriers_(couriers), endpoint_(endpoint)
        {
        }
        ~Service()  // NOLINT(bugprone-exception-escape): out of memory.
        {
            endpoint_.is_served = false;
            --couriers_.serving_;
            couriers_.serve_ready();
        }
        Service(const Service&) = delete;
        Service& operator=(const Service&) = delete;

    private:
        Couriers& couriers_;
        Endpoint& endpoint_;
    };

    Task<> run();
    Task<> sleep();
    void sleep_until(TimePoint time);
    Task<Result<>> load();
    Task<> sweep();
    // Remembered if not: everything that waits is looked at again once it may.
    bool may_send()
    {
        const bool may = !services_.may_send || services_.may_send();
        if (!may) sends_ = false;
        return may;
    }
    void rouse_all_if_it_may_send();
    Task<> rouse_all_of(std::string user);
    void load_soon();
    void rouse_due();
    void rouse_one_that_waits();
    EndpointRef entry(const std::string& webhook, const Owner& owner);
    void rouse(const EndpointRef& endpoint);
    void serve_ready();
    void forget(const EndpointRef& endpoint);
    void spawn(Task<> task);
    void note_end(const std::exception_ptr& failure);

    Task<> serve(EndpointRef endpoint);
    Task<Result<>> look_after(const EndpointRef& endpoint);
    Task<Result<bool>> dispatch(store::Webhook& webhook);
    Task<Result<>> hand_out(const EndpointRef& endpoint, const store::Webhook& webhook);
    Task<Result<std::optional<TimePoint>>> test_time(const Owner& owner) const;
    Task<Result<bool>> is_current(const store::Webhook& webhook) const;
    bool has_place_for(const Endpoint& endpoint) const;
    void wait_for_place(Endpoint& endpoint);
    std::vector<EndpointRef> waiting() const;
    // A delivery that is being sent.
    struct Sending {
        store::Webhook webhook;
        store::Delivery delivery;
        std::string body;
        std::unique_ptr<Places::Taken> place;
    };
    // Ends an attempt, however its task ends: its place is free, and the endpoint has its turn.
    class Attempt;
    Task<> attempt(EndpointRef endpoint, Sending sending);
    Task<std::optional<SentAttempt>> send(const Sending& sending);
    Task<Result<std::string>> body_of(const store::Webhook& webhook,
                                      const store::Delivery& delivery) const;
    static store::DeliveryEnd end_of(const Sending& sending, const SentAttempt& sent);
    // Since the event was queued, a token with fewer rights may have changed the webhook.
    static bool may_hear(const store::Webhook& webhook, const store::Delivery& delivery);
    static constexpr std::chrono::seconds time_before_retry{1};  // If the store cannot be used.
    // If the secret of a webhook cannot be read, because the operator has changed the key.
    static constexpr std::chrono::minutes time_before_signing{1};
    void try_later(Endpoint& endpoint, std::chrono::seconds wait);
    Result<std::vector<SigningSecret>> secrets_of(const store::Webhook& webhook) const;
    Task<> settle(EndpointRef endpoint, store::DeliveryEnd end);

    const Services services_;
    Places places_;
    Timer timer_;
    std::atomic<bool> stopped_ = false;
    bool sends_ = false;  // Whether it might send, whenever that was asked since the last look.
    std::map<std::string, EndpointRef> endpoints_;
    std::map<Owner, std::set<std::string>> of_owner_;
    std::deque<EndpointRef> ready_;  // To be served, one after the other.
    std::size_t serving_ = 0;
    std::uint64_t tickets_ = 0;
    TimePoint next_look_ = {};  // When the timer ends.
    SteadyPoint next_load_ = {};
    SteadyPoint next_sweep_ = {};

    mutable Mutex mutex_;
    Condition ended_;
    int tasks_ GUARDED_BY(mutex_) = 0;
    std::set<Owner> owners_ GUARDED_BY(mutex_);  // Those with endpoints.
    std::atomic<std::uint64_t> succeeded_ = 0;
    std::atomic<std::uint64_t> failed_ = 0;
    std::atomic<std::uint64_t> sending_ = 0;
    std::atomic<std::uint64_t> endpoint_count_ = 0;
};

// The types that an endpoint hears.
EventTypes types_of(const store::Webhook& webhook);

// A delivery of an event of the log.
store::Delivery delivery_of(const Payloads& payloads, const store::Webhook& webhook,
                            const store::Event& event, TimePoint now);

}  // namespace parley::webhook
