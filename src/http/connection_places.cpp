#include "http/connection_places.hpp"

#include "http/address.hpp"

#include <limits>

namespace parley::http {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
constexpr std::size_t addresses_of_a_site = 10;

}  // namespace

ConnectionPlaces::ConnectionPlaces(std::size_t per_address)
    : by_address_(any_number, per_address == 0 ? any_number : per_address),
      by_site_(any_number, per_address == 0 ? any_number : addresses_of_a_site * per_address)
{
}

bool ConnectionPlaces::Place::take(const boost::asio::ip::address& client)
{
    address_.charge_to(network_of(client));
    const auto site = site_of(client);
    if (site) site_.charge_to(*site);
    if (address_.take(1) && (!site || site_.take(1))) return true;
    reset();
    return false;
}

void ConnectionPlaces::Place::reset()
{
    address_.reset();
    site_.reset();
}

}  // namespace parley::http
