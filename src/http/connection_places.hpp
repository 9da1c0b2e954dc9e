// Limits the connections of one client: a number per address (IPv6: per /64), and ten times as many
// per IPv6 /48, which may belong to one customer.
//
// Threads: from any thread.
#pragma once

#include "http/allowance.hpp"

#include <boost/asio/ip/address.hpp>

#include <cstddef>
#include <memory>

namespace parley::http {

class ConnectionPlaces {
public:
    // 0: no limit.
    explicit ConnectionPlaces(std::size_t per_address);

    // Held for the lifetime of its connection.
    class Place {
    public:
        explicit Place(ConnectionPlaces& places)
            : address_(places.by_address_), site_(places.by_site_)
        {
        }
        // False, and nothing is held, if the client has reached its limit.
        bool take(const boost::asio::ip::address& client);
        void reset();

    private:
        Share address_;
        Share site_;
    };

private:
    Allowance by_address_;
    Allowance by_site_;
};

}  // namespace parley::http
