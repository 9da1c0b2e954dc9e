#include "http/client/resolver.hpp"

#include "base/mutex.hpp"
#include "base/timer.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include <deque>
#include <map>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace parley::http::client {
namespace {

// A thread without work ends after this time.
constexpr std::chrono::seconds idle_time{10};

boost::asio::ip::address address_in(const sockaddr& name)
{
    if (name.sa_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(name);
        return boost::asio::ip::address_v4(ntohl(v4.sin_addr.s_addr));
    }
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(name);
    boost::asio::ip::address_v6::bytes_type bytes{};
    std::copy_n(static_cast<const unsigned char*>(v6.sin6_addr.s6_addr), bytes.size(),
                bytes.begin());
    return boost::asio::ip::address_v6(bytes, v6.sin6_scope_id);
}

}  // namespace

// Shared with the threads, which may outlive the resolver.
struct Resolver::State : std::enable_shared_from_this<State> {
    State(const Options& its_options, Lookup its_lookup)
        : options(its_options), lookup(std::move(its_lookup))
    {
    }

    void put(std::string name, Done done)
    {
        MutexLock lock(mutex);
        const auto known = waiting.find(name);
        if (known != waiting.end()) {
            known->second.push_back(std::move(done));
            return;
        }
        if (closed || waiting.size() >= options.max_waiting) {
            lock.unlock();
            done({});
            return;
        }
        waiting[name].push_back(std::move(done));
        queue.push_back(std::move(name));
        if (idle < queue.size() && threads < options.max_threads) {
            ++threads;
            std::thread([state = shared_from_this()] { state->work(); }).detach();
        }
        filled.notify_one();
    }

    void work()
    {
        while (const auto name = take()) {
            const Addresses found = lookup(*name);
            MutexLock lock(mutex);
            auto done = waiting.extract(*name);
            if (done.empty()) continue;  // Closed meanwhile.
            // Under the lock, so that no callback is called once the resolver is closed.
            for (const Done& each : done.mapped()) each(found);
        }
    }

    // The next name; nothing: this thread ends.
    std::optional<std::string> take()
    {
        const auto end = std::chrono::steady_clock::now() + idle_time;
        MutexLock lock(mutex);
        ++idle;
        bool in_time = true;
        while (queue.empty() && !closed && in_time) in_time = filled.wait_until(lock, end);
        --idle;
        if (closed || queue.empty()) {
            --threads;
            return std::nullopt;
        }
        std::string name = std::move(queue.front());
        queue.pop_front();
        return name;
    }

    void close()
    {
        std::map<std::string, std::vector<Done>> dropped;
        MutexLock lock(mutex);
        closed = true;
        dropped.swap(waiting);
        queue.clear();
        filled.notify_all();
        lock.unlock();
    }

    const Options options;
    const Lookup lookup;
    Mutex mutex;
    Condition filled;
    std::map<std::string, std::vector<Done>> waiting GUARDED_BY(mutex);  // Also those in progress.
    std::deque<std::string> queue GUARDED_BY(mutex);
    std::size_t threads GUARDED_BY(mutex) = 0;
    std::size_t idle GUARDED_BY(mutex) = 0;
    bool closed GUARDED_BY(mutex) = false;
};

Resolver::Resolver(const Options& options, Lookup lookup)
    : state_(std::make_shared<State>(options, std::move(lookup)))
{
}

Resolver::~Resolver() { state_->close(); }

void Resolver::resolve(std::string name, Done done)
{
    state_->put(std::move(name), std::move(done));
}

std::size_t Resolver::threads() const
{
    const MutexLock lock(state_->mutex);
    return state_->threads;
}

Addresses Resolver::system_lookup(const std::string& name)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    Addresses addresses;
    if (::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return addresses;
    for (const addrinfo* each = found; each; each = each->ai_next)
        if (each->ai_family == AF_INET || each->ai_family == AF_INET6)
            addresses.push_back(address_in(*each->ai_addr));
    ::freeaddrinfo(found);
    return addresses;
}

Task<Addresses> resolve_within(Resolver& resolver, std::string name,
                               std::chrono::milliseconds patience, std::shared_ptr<void> until_done)
{
    struct Wait {
        explicit Wait(Executor loop) : timer(loop) {}
        Timer timer;
        Addresses found;
    };
    const Executor loop = co_await boost::asio::this_coro::executor;
    const auto wait = std::make_shared<Wait>(loop);
    wait->timer.expires_after(patience);
    resolver.resolve(std::move(name),
                     [loop, wait, until_done = std::move(until_done)](const Addresses& found) {
                         boost::asio::post(loop, [wait, found] {
                             wait->found = found;
                             wait->timer.cancel();
                         });
                     });
    boost::system::error_code ignored;
    co_await wait->timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
    co_return wait->found;
}

}  // namespace parley::http::client
