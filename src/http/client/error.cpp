#include "http/client/error.hpp"

#include <stdexcept>

namespace parley::http::client {

void throw_exception_from_error(const ClientError& error, const boost::source_location& where)
{
    throw std::logic_error("unchecked failure at " + where.to_string() + ": " + error.message);
}

}  // namespace parley::http::client
