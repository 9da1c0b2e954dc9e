// A request and its response, independent of sockets, so that all code above can be tested without
// them. `Handler` is the only interface to the code above this room.
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

// The bytes of one event, encoded once and shared by all streams that send it.
using Frame = std::shared_ptr<const std::string>;

// A response that is sent frame by frame. The head is sent together with the first frame. While
// idle, comments are sent as pings to keep the connection alive.
class EventStream {
public:
    virtual ~EventStream() = default;

    // Sends a frame and waits until the kernel accepted it. False once the stream has ended,
    // because the client disconnected or because it was cut.
    virtual Task<bool> send(Frame frame) = 0;

    // Sends a frame without waiting. A client that reads so slowly that more than the limit would
    // wait behind the frame being written is cut. False once the stream has ended.
    virtual bool offer(Frame frame) = 0;

    // Ends the stream after the current frame, without a regular end, so that the client knows that
    // something is missing.
    virtual void cut() = 0;

    // True once the head was sent: before, a failure can still be an ordinary response.
    virtual bool started() const = 0;

    // Bytes of all frames, sent or queued.
    virtual std::uint64_t bytes() const = 0;

    // Calls `callback` on this loop when the stream ends early, because the client disconnected or
    // because it was cut; at once if that has already happened. Unregister with nullptr before the
    // callback becomes invalid.
    virtual void when_ended(std::function<void()> callback) = 0;
};

// The payer for the memory of a request and its response: the user, or the client if there is no
// user. Each has a limited share.
struct Payer {
    std::optional<boost::asio::ip::address> client = {};
    std::string_view user = {};  // Empty: not known.
};

// Memory of the responses' allowance, released with the last reference.
using Charge = std::shared_ptr<void>;

class Exchange {
public:
    virtual ~Exchange() = default;

    virtual const RequestHead& request() const = 0;
    virtual const Peer& peer() const = 0;

    // Reads the whole body, of at most `limit` bytes; empty if there is none. To be called once at
    // most. If a handler answers without this call, the body is discarded, and never taken for a
    // request. The payer is charged for its memory. Fails with body_too_large, request_timeout,
    // overloaded, or invalid_request if it is malformed.
    virtual Task<Result<std::string>> body(std::size_t limit, Payer payer) = 0;

    // Declares that only so many bytes of the body, and of data made from it, are still in memory.
    // The rest of its share, which is otherwise held until the response, is released.
    virtual void shrink_body_share(std::size_t bytes) = 0;

    // To be called before a response with a body of so many bytes is returned. The payer is charged
    // for its memory until it is sent. Fails with overloaded.
    virtual Result<> reserve_response(std::size_t bytes, const Payer& payer) = 0;

    // The same for memory that a stream holds, perhaps together with other streams.
    virtual Result<Charge> charge_response(std::size_t bytes, const Payer& payer) = 0;

    // Answers with a stream instead of the response that the handler returns, which is then
    // ignored. The stream ends when the handler returns.
    virtual EventStream& stream(Response head) = 0;

    // Calls `callback` on this loop when the client disconnects before the response, or is cut off.
    // A client that has only finished sending has not disconnected. Unregister with nullptr before
    // the callback becomes invalid.
    virtual void on_disconnect(std::function<void()> callback) = 0;
};

class Handler {
public:
    virtual ~Handler() = default;

    virtual Task<Response> serve(Exchange& exchange) = 0;

    // The response if there was no valid request: broken framing, a head that is too large or too
    // slow, too many connections. `known` is the readable part of its head: perhaps the target,
    // perhaps some fields, perhaps nothing.
    virtual Response refuse(const Error& error, const Peer& peer, const RequestHead& known) = 0;
};

}  // namespace parley::http
