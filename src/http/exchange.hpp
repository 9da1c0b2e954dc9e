// A request and its answer, free of sockets, so that everything above can be tested without them.
// `Handler` is all that this room knows of the house above it.
//
// Threads: an exchange, its stream and its handler's coroutine live on one event loop. Calls that
// arrive on several loops share one handler.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "http/message.hpp"

#include <boost/asio/ip/address.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

struct Peer {
    boost::asio::ip::address address;
    bool secure = false;  // Came over TLS.
};

// The bytes of one event, encoded once and shared by all who send them.
using Frame = std::shared_ptr<const std::string>;

// A response that is sent frame by frame. The head leaves together with the first frame. While
// nothing is sent, comment pings keep the connection alive.
class EventStream {
public:
    virtual ~EventStream() = default;

    // Sends a frame and waits until the kernel took it. False once the stream has ended, because
    // the client left or because it was cut.
    virtual Task<bool> send(Frame frame) = 0;

    // Sends a frame without waiting. A client that reads so slowly that more than the limit would
    // wait behind the frame being written is cut. False once the stream has ended.
    virtual bool offer(Frame frame) = 0;

    // Ends the stream behind the frame that is being sent, without its proper ending, so that the
    // client knows that something is missing.
    virtual void cut() = 0;

    // True once the head has left: before, a failure can still be a response of its own.
    virtual bool started() const = 0;

    // Bytes of the frames that were sent or are on their way.
    virtual std::uint64_t bytes() const = 0;

    // Calls `told` on this loop when the stream ends early, because the client left or because it
    // was cut; at once where that has happened already. Whoever goes before the stream takes it
    // back with nullptr.
    virtual void when_ended(std::function<void()> told) = 0;
};

// Who answers for the memory that a request and its response take. Each has a share of it.
struct Payer {
    std::optional<boost::asio::ip::address> client = {};
    std::string_view user = {};  // Empty: not known.
};

// Memory of the responses' allowance that is given back when the last owner lets go of this.
using Charge = std::shared_ptr<void>;

class Exchange {
public:
    virtual ~Exchange() = default;

    virtual const RequestHead& request() const = 0;
    virtual const Peer& peer() const = 0;

    // Reads the whole body, of at most `limit` bytes; empty if there is none. To be called once at
    // most. A handler that answers without having called it has refused the body: it is discarded,
    // never executed. Client and user both pay for its memory. Fails with body_too_large,
    // request_timeout, overloaded, or invalid_request if it is malformed.
    virtual Task<Result<std::string>> body(std::size_t limit, Payer payer) = 0;

    // Of the body and all that was made of it, only so many bytes are still in memory; others may
    // have the rest of its share, which is otherwise held until the request is answered.
    virtual void shrink_body_share(std::size_t bytes) = 0;

    // To be asked before a response with a body of so many bytes is returned. The user pays for its
    // memory until it is sent, or the client if there is no user. Fails with overloaded.
    virtual Result<> reserve_response(std::size_t bytes, const Payer& payer) = 0;

    // The same for memory that a stream holds, perhaps together with other streams.
    virtual Result<Charge> charge_response(std::size_t bytes, const Payer& payer) = 0;

    // Answers with a stream instead of the response that the handler returns, which is then
    // ignored. The stream ends when the handler returns.
    virtual EventStream& stream(Response head) = 0;

    // Calls `told` on this loop when the client leaves before it was answered, or is cut off. A
    // client that has merely finished sending has not left. Whoever goes before the exchange takes
    // it back with nullptr.
    virtual void on_disconnect(std::function<void()> told) = 0;
};

class Handler {
public:
    virtual ~Handler() = default;

    virtual Task<Response> serve(Exchange& exchange) = 0;

    // The answer to something that never became a request: broken framing, a head that is too large
    // or too slow, a connection too many. `known` is as much of its head as can be read: perhaps
    // the target, perhaps some fields, perhaps nothing.
    virtual Response refuse(const Error& error, const Peer& peer, const RequestHead& known) = 0;
};

}  // namespace parley::http
