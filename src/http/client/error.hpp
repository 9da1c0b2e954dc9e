// Why a request to somebody else's server came to nothing. Callers decide by the kind what it means
// to them; the message is a sentence for people that names host and port, and never holds a query,
// a field's value or anything else that might be secret.
#pragma once

#include <boost/system/result.hpp>

#include <string>

namespace parley::http::client {

enum class ClientFailure {
    unsendable,       // The request would not be valid HTTP; nothing was sent.
    unreachable,      // The host has no address, or refuses connections.
    refused_address,  // The request's rule forbids an address of the host; none was connected to.
    tls,              // There is no secure connection: a certificate, or the handshake.
    timeout,          // One of the request's deadlines has passed.
    malformed,        // The answer is not HTTP, or can be read in more than one way.
    too_large,        // The answer exceeds a limit of the request.
    closed,           // The connection ended before the answer did, or was aborted.
};

struct ClientError {
    ClientFailure kind = ClientFailure::closed;
    std::string message;
    bool before_first_byte = true;  // Nothing of an answer had come.
    bool before_sending = true;     // Nothing of the request had left.
};

template <class T = void>
using ClientResult = boost::system::result<T, ClientError>;

// Called by ClientResult::value() on a failure nobody checked, which is a bug.
[[noreturn]] void throw_exception_from_error(const ClientError& error,
                                             const boost::source_location& where);

}  // namespace parley::http::client
