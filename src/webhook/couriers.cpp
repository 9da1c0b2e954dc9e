#include "webhook/couriers.hpp"

#include "base/log.hpp"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <tuple>

namespace parley::webhook {
namespace {

// The clock may be set: it is looked at often, the store only if something is due.
constexpr std::chrono::seconds longest_sleep{1};
constexpr std::chrono::milliseconds shortest_sleep{1};
// Webhooks of which this server was not told, because it could not hear the others.
constexpr std::chrono::minutes time_between_loads{1};
constexpr std::size_t endpoints_of_a_page = 100;
// Endpoints that ask the store at the same time: requests of clients must find room in its queue.
constexpr std::size_t served_at_once = 64;
constexpr std::chrono::minutes time_between_sweeps{10};
constexpr std::chrono::days deliveries_keep{30};
constexpr std::size_t deliveries_of_a_sweep = 500;

}  // namespace

void Couriers::start() { spawn(run()); }

void Couriers::spawn(Task<> task)
{
    {
        const MutexLock lock(mutex_);
        ++tasks_;
    }
    boost::asio::co_spawn(services_.loop.executor(), std::move(task),
                          [self = shared_from_this()](const std::exception_ptr& failure) {
                              self->note_end(failure);
                          });
}

// An exception is a bug: it is logged, and ends only the task that threw it.
void Couriers::note_end(const std::exception_ptr& failure)
{
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& bug) {
        log::error("a task of webhooks failed", log::kv("reason", bug.what()));
    }
    const MutexLock lock(mutex_);
    --tasks_;
    ended_.notify_all();
}

void Couriers::stop()
{
    boost::asio::post(services_.loop.executor(), [self = shared_from_this()] {
        self->stopped_ = true;
        self->timer_.cancel();
        self->services_.sender.abort();
    });
}

bool Couriers::wait_until_idle(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (tasks_ > 0)
        if (!ended_.wait_until(lock, deadline)) return tasks_ == 0;
    return true;
}

CourierFigures Couriers::figures() const
{
    return {.succeeded = succeeded_,
            .failed = failed_,
            .sending = sending_,
            .endpoints = endpoint_count_};
}

void Couriers::heard(const std::set<Owner>& owners)
{
    std::vector<Owner> grown;
    {
        const MutexLock lock(mutex_);
        for (const Owner& each : owners)
            if (owners_.contains(each)) grown.push_back(each);
    }
    if (grown.empty()) return;
    boost::asio::post(services_.loop.executor(), [self = shared_from_this(), grown] {
        for (const Owner& owner : grown) {
            const auto known = self->of_owner_.find(owner);
            if (known == self->of_owner_.end()) continue;
            for (const std::string& id : known->second) self->rouse(self->endpoints_.at(id));
        }
    });
}

void Couriers::wake(const std::string& webhook, const Owner& owner)
{
    boost::asio::post(services_.loop.executor(), [self = shared_from_this(), webhook, owner] {
        self->rouse(self->entry(webhook, owner));
    });
}

void Couriers::wake_all_of(const std::set<Owner>& owners)
{
    heard(owners);
    boost::asio::post(services_.loop.executor(), [self = shared_from_this()] {
        self->load_soon();  // One of them may be new.
    });
}

void Couriers::wake_all()
{
    boost::asio::post(services_.loop.executor(), [self = shared_from_this()] {
        for (const auto& [id, endpoint] : self->endpoints_) self->rouse(endpoint);
        self->load_soon();
    });
}

void Couriers::load_soon()
{
    next_load_ = {};
    timer_.cancel();
}

Task<> Couriers::run()
{
    while (!stopped_) {
        rouse_all_if_it_may_send();
        if (services_.clock.steady() >= next_load_) {
            next_load_ = services_.clock.steady() + time_between_loads;
            const auto loaded = co_await load();
            if (!loaded) next_load_ = services_.clock.steady() + longest_sleep;
        }
        rouse_due();
        co_await sweep();
        if (!stopped_) co_await sleep();
    }
}

Task<> Couriers::sleep()
{
    const TimePoint now = services_.clock.now();
    next_look_ = now + longest_sleep;
    for (const auto& [id, endpoint] : endpoints_)
        for (const auto& time : {endpoint->next_at, endpoint->retry_at})
            if (time) next_look_ = std::min(next_look_, *time);
    timer_.expires_after(std::max<std::chrono::nanoseconds>(next_look_ - now, shortest_sleep));
    boost::system::error_code ignored;
    co_await timer_.async_wait(boost::asio::redirect_error(awaiting, ignored));
}

void Couriers::sleep_until(TimePoint time)
{
    if (time < next_look_) timer_.cancel();
}

// All active endpoints, and disabled ones of which a crash has left something to be given up.
Task<Result<>> Couriers::load()
{
    std::optional<store::Webhooks::Position> after;
    do {
        const auto page = co_await services_.store.webhooks().active(after, endpoints_of_a_page);
        if (!page) co_return page.error();
        for (const store::ActiveWebhook& each : page->items)
            if (!endpoints_.contains(each.id)) rouse(entry(each.id, each.owner));
        after = page->next;
    } while (after && !stopped_);
    const auto disabled = co_await services_.store.webhooks().giving_up(endpoints_of_a_page);
    if (!disabled) co_return disabled.error();
    for (const store::ActiveWebhook& each : *disabled) rouse(entry(each.id, each.owner));
    co_return Result<>();
}

Task<> Couriers::sweep()
{
    const SteadyPoint now = services_.clock.steady();
    if (now < next_sweep_ || (services_.may_sweep && !services_.may_sweep())) co_return;
    next_sweep_ = now + time_between_sweeps;
    const auto removed = co_await services_.store.deliveries().sweep(
        services_.clock.now() - deliveries_keep, deliveries_of_a_sweep);
    if (removed && *removed == deliveries_of_a_sweep) next_sweep_ = now;
}

// Another server has sent until now.
void Couriers::rouse_all_if_it_may_send()
{
    const bool sent = sends_;
    sends_ = may_send();
    if (sent || !sends_) return;
    next_load_ = {};  // There may be others by now.
    for (const auto& [id, endpoint] : endpoints_) rouse(endpoint);
}

void Couriers::rouse_due()
{
    const TimePoint now = services_.clock.now();
    for (const auto& [id, endpoint] : endpoints_) {
        const bool retries = endpoint->retry_at && *endpoint->retry_at <= now;
        if (retries) endpoint->retry_at.reset();
        const bool is_due = endpoint->next_at && *endpoint->next_at <= now;
        if (is_due) endpoint->next_at.reset();
        if (retries || is_due) rouse(endpoint);
    }
    for (const EndpointRef& endpoint : waiting()) rouse(endpoint);
}

// A place has become free.
void Couriers::rouse_one_that_waits()
{
    for (const EndpointRef& endpoint : waiting()) {
        if (endpoint->is_served) continue;
        rouse(endpoint);
        return;
    }
}

// Those that could have a place, in their order: the first that came, but first of all those that
// do not fail.
std::vector<Couriers::EndpointRef> Couriers::waiting() const
{
    std::vector<EndpointRef> found;
    for (const auto& [id, endpoint] : endpoints_)
        if (endpoint->waits && has_place_for(*endpoint)) found.push_back(endpoint);
    std::ranges::sort(
        found, {}, [](const EndpointRef& each) { return std::tuple(each->failing, each->ticket); });
    return found;
}

void Couriers::wait_for_place(Endpoint& endpoint)
{
    endpoint.waits = true;
    if (!endpoint.ticket) endpoint.ticket = ++tickets_;
}

Couriers::EndpointRef Couriers::entry(const std::string& webhook, const Owner& owner)
{
    EndpointRef& endpoint = endpoints_[webhook];
    if (!endpoint) {
        endpoint = std::make_shared<Endpoint>(Endpoint{.id = webhook, .owner = owner});
        of_owner_[owner].insert(webhook);
        endpoint_count_ = endpoints_.size();
        const MutexLock lock(mutex_);
        owners_.insert(owner);
    }
    return endpoint;
}

void Couriers::forget(const EndpointRef& endpoint)
{
    const auto known = endpoints_.find(endpoint->id);
    if (known == endpoints_.end() || known->second != endpoint) return;
    endpoints_.erase(known);
    endpoint_count_ = endpoints_.size();
    std::set<std::string>& others = of_owner_[endpoint->owner];
    others.erase(endpoint->id);
    if (!others.empty()) return;
    of_owner_.erase(endpoint->owner);
    const MutexLock lock(mutex_);
    owners_.erase(endpoint->owner);
}

void Couriers::rouse(const EndpointRef& endpoint)
{
    // Once it was forgotten, another entry may stand for the same webhook.
    const auto known = endpoints_.find(endpoint->id);
    if (stopped_ || known == endpoints_.end() || known->second != endpoint) return;
    endpoint->is_woken = true;
    if (endpoint->is_served) return;
    endpoint->is_served = true;
    ready_.push_back(endpoint);
    serve_ready();
}

void Couriers::serve_ready()
{
    while (!stopped_ && serving_ < served_at_once && !ready_.empty()) {
        const EndpointRef endpoint = std::move(ready_.front());
        ready_.pop_front();
        ++serving_;
        spawn(serve(endpoint));
    }
}

bool Couriers::has_place_for(const Endpoint& endpoint) const
{
    return places_.has_one_for({.host = endpoint.host,
                                .user = endpoint.owner.user,
                                .taken = endpoint.running.size(),
                                .ordered = endpoint.ordered,
                                .failing = endpoint.failing});
}

}  // namespace parley::webhook
