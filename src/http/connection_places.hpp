// How many connections one client may have: so many for an address, which is a /64 of IPv6, and ten
// times as many for a /48 of IPv6, of which one customer may have all addresses.
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
    // 0: as many as there are.
    explicit ConnectionPlaces(std::size_t per_address);

    // Held as long as its connection.
    class Place {
    public:
        explicit Place(ConnectionPlaces& places)
            : address_(places.by_address_), site_(places.by_site_)
        {
        }
        // False, and nothing is held, if the client has all that it may have.
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
