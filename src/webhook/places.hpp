// How many deliveries are sent at the same time: by one endpoint, to one host, and in all.
// Endpoints that do not answer must not take all places:
// - a failing endpoint sends one delivery at a time, and all of them have half of the places;
// - an endpoint gets more than one place only while half of the places are free.
//
// Threads: of one loop.
#pragma once

#include <cstddef>
#include <map>
#include <string>

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
        std::size_t taken = 0;    // Places that the endpoint has already.
        bool ordered = false;
        bool failing = false;
    };

    explicit Places(const Limits& limits) : limits_(limits) {}

    bool has_one_for(const Wish& wish) const
    {
        const std::size_t most = wish.ordered || wish.failing ? 1 : limits_.of_endpoint;
        if (wish.taken >= most || all_ >= limits_.all) return false;
        if (wish.failing && failing_ >= limits_.all / 2) return false;
        if (wish.taken > 0 && all_ >= limits_.all / 2) return false;
        const auto host = hosts_.find(wish.host);
        return host == hosts_.end() || host->second < limits_.of_host;
    }

    // A place, until it is destroyed. Must not outlive the places.
    class Taken {
    public:
        Taken(Places& places, std::string host, bool failing)
            : places_(places), host_(std::move(host)), failing_(failing)
        {
            ++places_.all_;
            ++places_.hosts_[host_];
            if (failing_) ++places_.failing_;
        }
        ~Taken()
        {
            --places_.all_;
            if (--places_.hosts_[host_] == 0) places_.hosts_.erase(host_);
            if (failing_) --places_.failing_;
        }
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;

    private:
        Places& places_;
        const std::string host_;
        const bool failing_;
    };

    std::size_t taken() const { return all_; }

private:
    const Limits limits_;
    std::size_t all_ = 0;
    std::size_t failing_ = 0;
    std::map<std::string, std::size_t> hosts_;
};

}  // namespace parley::webhook
