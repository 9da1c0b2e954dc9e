// Looks up the addresses of names on threads of its own, so that a name server that does not answer
// delays only the requests that wait for it. (The resolver of an event loop has one thread: there,
// one such name delays all others.)
//
// getaddrinfo cannot be interrupted. Look-ups of one name are made once for all that wait for it;
// their number and the number of threads are bounded.
//
// Threads: from any thread.
#pragma once

#include "base/task.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::http::client {

using Addresses = std::vector<boost::asio::ip::address>;

class Resolver {
public:
    // Looks up a name, as getaddrinfo does; tests give another function.
    using Lookup = std::function<Addresses(const std::string& name)>;
    struct Options {
        std::size_t max_threads = 128;
        std::size_t max_waiting = 1024;  // Names; further look-ups find nothing.
    };

    Resolver() : Resolver(Options{}, system_lookup) {}
    Resolver(const Options& options, Lookup lookup);
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;
    // Does not wait for look-ups in progress; their callbacks are destroyed and never called.
    ~Resolver();

    // `done` is called once, from a thread of the resolver; with no address if the name has none.
    using Done = std::function<void(const Addresses&)>;
    void resolve(std::string name, Done done);

    std::size_t threads() const;

    static Addresses system_lookup(const std::string& name);

private:
    struct State;
    std::shared_ptr<State> state_;
};

// Waits for the addresses of a name; gives none if that takes longer than `patience`. The look-up
// goes on: `until_done` lives as long as it does.
Task<Addresses> resolve_within(Resolver& resolver, std::string name,
                               std::chrono::milliseconds patience,
                               std::shared_ptr<void> until_done = {});

}  // namespace parley::http::client
