// How many deliveries are sent at the same time: by one endpoint, to one host, and in all.
// Endpoints that do not answer must not take all places:
// - a failing endpoint sends one delivery at a time, and all of them have half of the places;
// - a user gets more than one place only while half of the places are free, in all and for a host.
//   So a user who sends nothing yet finds a place, whatever the endpoints of others do.
//
// Threads: of one loop.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace parley::webhook {

class Places {
public:
    struct Limits {
        std::size_t all = 256;
        std::size_t of_host = 64;
        std::size_t of_endpoint = 4;
    };
    // An endpoint that wants a place.
    struct Wish {
        const std::string& host;  // With its port.
        const std::string& user;
        std::size_t taken = 0;  // Places that the endpoint has already.
        bool ordered = false;
        bool failing = false;
    };

    explicit Places(const Limits& limits) : limits_(limits) {}

    bool has_one_for(const Wish& wish) const
    {
        const std::size_t most = wish.ordered || wish.failing ? 1 : limits_.of_endpoint;
        if (wish.taken >= most || all_ >= limits_.all) return false;
        if (wish.failing && failing_ >= limits_.all / 2) return false;
        const std::size_t at_host = count_of(hosts_, wish.host);
        if (at_host >= limits_.of_host) return false;
        if (all_ >= limits_.all / 2 && count_of(users_, wish.user) > 0) return false;
        return at_host < limits_.of_host / 2 ||
               count_of(pairs_, std::pair(wish.user, wish.host)) == 0;
    }

    // A place, until it is destroyed. Must not outlive the places.
    class Taken {
    public:
        Taken(Places& places, std::string host, std::string user, bool failing)
            : places_(places), host_(std::move(host)), user_(std::move(user)), failing_(failing)
        {
            ++places_.all_;
            ++places_.hosts_[host_];
            ++places_.users_[user_];
            ++places_.pairs_[{user_, host_}];
            if (failing_) ++places_.failing_;
        }
        ~Taken()
        {
            --places_.all_;
            take_one(places_.hosts_, host_);
            take_one(places_.users_, user_);
            take_one(places_.pairs_, std::pair(user_, host_));
            if (failing_) --places_.failing_;
        }
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;

    private:
        Places& places_;
        const std::string host_;
        const std::string user_;
        const bool failing_;
    };

    std::size_t taken() const { return all_; }

private:
    template <class Key>
    using Counts = std::map<Key, std::size_t>;
    template <class Key>
    static std::size_t count_of(const Counts<Key>& counts, const Key& key)
    {
        const auto found = counts.find(key);
        return found == counts.end() ? 0 : found->second;
    }
    template <class Key>
    static void take_one(Counts<Key>& counts, const Key& key)
    {
        const auto found = counts.find(key);
        if (--found->second == 0) counts.erase(found);
    }

    const Limits limits_;
    std::size_t all_ = 0;
    std::size_t failing_ = 0;
    Counts<std::string> hosts_;
    Counts<std::string> users_;
    Counts<std::pair<std::string, std::string>> pairs_;  // By user and host.
};

}  // namespace parley::webhook
