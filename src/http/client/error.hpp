// Why a request to another server failed. Callers decide by the kind; the message is for people: it
// names host and port, and never contains a query, a field's value or anything else that might be
// secret.
#pragma once

#include <boost/system/result.hpp>

#include <string>

namespace parley::http::client {

enum class ClientFailure {
    unsendable,       // The request would not be valid HTTP; nothing was sent.
    unreachable,      // The host has no address, or refuses connections.
    refused_address,  // The request's rule forbids an address of the host; none was connected to.
    tls,              // TLS failed: the certificate or the handshake.
    timeout,          // One of the request's deadlines has passed.
    malformed,        // The response is not HTTP, or is ambiguous.
    too_large,        // The response exceeds a limit of the request.
    closed,           // The connection ended before the response did, or was aborted.
};

struct ClientError {
    ClientFailure kind = ClientFailure::closed;
    std::string message;
    bool before_first_byte = true;  // No part of the response was received.
    bool before_sending = true;     // No part of the request was sent.
    bool has_no_address = false;    // Unreachable because its name has no address.
};

template <class T = void>
using ClientResult = boost::system::result<T, ClientError>;

// Called by ClientResult::value() on an unchecked failure, which is a bug.
[[noreturn]] void throw_exception_from_error(const ClientError& error,
                                             const boost::source_location& where);

}  // namespace parley::http::client
