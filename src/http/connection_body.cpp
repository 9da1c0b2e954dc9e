// The part of a connection that reads bodies, and discards refused ones.
#include "http/address.hpp"
#include "http/chunked.hpp"
#include "http/connection.hpp"

#include <algorithm>
#include <array>

namespace parley::http {
namespace {

constexpr std::size_t read_size = std::size_t{16} * 1024;

// The first bytes of a body are not counted: a client that fills its share must not prevent others
// at its address from logging in. Also, most requests then need no shared counter.
constexpr std::size_t small_body = std::size_t{16} * 1024;

// Responses up to this size are not counted: every connection may use this much.
constexpr std::size_t small_response = std::size_t{4} * 1024;

Error overloaded(const char* why)
{
    Error error{Errc::overloaded, why};
    error.retry_after = std::chrono::seconds(1);
    return error;
}

Error too_many_bodies()
{
    return overloaded("Too many requests are being received; try again shortly.");
}

// A known user does not use up the share of the address, which many users may have in common: those
// of an office, or of a proxy.
std::string name_of(const Payer& payer)
{
    if (!payer.user.empty()) return "user " + std::string(payer.user);
    return payer.client ? "address " + network_of(*payer.client) : std::string();
}

Error too_many_responses()
{
    return overloaded("Too many responses are waiting to be read; read them, then try again.");
}

// The maximum time for this many bytes of a body.
std::chrono::milliseconds body_patience(const Limits& limits, std::size_t received)
{
    using std::chrono::milliseconds;
    return std::min(limits.body_grace + milliseconds(received * 1000 / 1024),
                    limits.body_wait + milliseconds(received * 1000 / (std::size_t{64} * 1024)));
}

}  // namespace

template <class Stream>
Task<Result<std::string>> Connection<Stream>::body(std::size_t limit, Payer payer)
{
    std::string body;
    if (body_state_ != BodyState::unread) co_return body;
    if (request_.content_length.value_or(0) > limit)
        co_return Error{Errc::body_too_large,
                        "The body exceeds " + std::to_string(limit) + " bytes."};

    body_payer_ = payer;
    body_uncounted_ = small_body;
    const bool nothing_came = buffer_.bytes().size() == request_size_;
    if (request_.expects_continue && nothing_came) {
        request_.expects_continue = false;  // The client was told to send the body.
        if (!co_await write("HTTP/1.1 100 Continue\r\n\r\n", {})) co_return reading_failed();
    }
    body_begun_ = loop_.clock().steady();
    body_received_ = 0;
    Result<> read;
    if (request_.chunked)
        read = co_await read_chunked_body(body, limit);
    else
        read = co_await read_sized_body(body);
    alarm_.disarm();
    body_state_ = read ? BodyState::read : BodyState::broken;
    if (read) co_return body;
    body_share_.reset();
    stranger_share_.reset();
    co_return read.error();
}

template <class Stream>
Result<> Connection<Stream>::reserve_response(std::size_t bytes, const Payer& payer)
{
    if (bytes <= small_response) return {};
    response_share_.charge_to(name_of(payer));
    if (response_share_.take(bytes)) return {};
    return too_many_responses();
}

template <class Stream>
Result<Charge> Connection<Stream>::charge_response(std::size_t bytes, const Payer& payer)
{
    auto share = std::make_shared<Share>(state_.responses);
    share->charge_to(name_of(payer));
    if (!share->take(bytes)) return too_many_responses();
    return Charge(std::move(share));
}

template <class Stream>
bool Connection<Stream>::take_for_body(std::size_t bytes)
{
    const std::size_t uncounted = std::min(bytes, body_uncounted_);
    body_uncounted_ -= uncounted;
    if (bytes == uncounted) return true;
    if (body_share_.is_empty()) body_share_.charge_to(name_of(body_payer_));
    const bool is_stranger = body_payer_.client && body_payer_.user.empty();
    if (is_stranger && !stranger_share_.take(bytes - uncounted)) return false;
    return body_share_.take(bytes - uncounted);
}

template <class Stream>
Task<Result<>> Connection<Stream>::read_sized_body(std::string& body)
{
    const std::size_t whole = request_.content_length.value_or(0);
    const std::string_view buffered = buffer_.bytes().substr(request_size_, whole);
    if (!take_for_body(buffered.size())) co_return too_many_bodies();
    body = buffered;
    request_size_ += buffered.size();
    while (body.size() < whole) {
        // Grows with the received bytes: announcing a large body costs no memory.
        const std::size_t before = body.size();
        const std::size_t more = std::min(whole - before, std::max(read_size, before));
        if (!take_for_body(more)) co_return too_many_bodies();
        body.resize(before + more);
        std::size_t filled = before;
        while (filled < body.size()) {
            filled += co_await read_of_body(
                boost::asio::buffer(body.data() + filled, body.size() - filled));
            if (!last_read_succeeded_ || alarm_.rang) co_return reading_failed();
        }
    }
    co_return Result<>();
}

template <class Stream>
Task<Result<>> Connection<Stream>::read_chunked_body(std::string& body, std::size_t limit)
{
    ChunkedDecoder decoder(limit);
    const auto used = decoder.feed(buffer_.bytes().substr(request_size_), body);
    if (!used) co_return used.error();
    request_size_ += *used;
    if (!take_for_body(body.size())) co_return too_many_bodies();
    // A separate buffer: the head's views point into the connection's buffer.
    std::string piece(decoder.done() ? 0 : read_size, '\0');
    while (!decoder.done()) {
        const std::size_t count = co_await read_of_body(boost::asio::buffer(piece));
        if (!last_read_succeeded_ || alarm_.rang) co_return reading_failed();
        const std::size_t before = body.size();
        const auto taken = decoder.feed({piece.data(), count}, body);
        if (!taken) co_return taken.error();
        if (!take_for_body(body.size() - before)) co_return too_many_bodies();
        if (decoder.done()) behind_body_.assign(piece, *taken, count - *taken);
    }
    co_return Result<>();
}

// Reads bytes of a body. There is a minimum speed and a maximum pause, because the speed alone
// would let a client pause for long after a fast start.
template <class Stream>
Task<std::size_t> Connection<Stream>::read_of_body(boost::asio::mutable_buffer into)
{
    using std::chrono::milliseconds;
    const auto end = body_begun_ + body_patience(state_.limits, body_received_);
    const auto left = std::min(state_.limits.body_wait,
                               std::chrono::ceil<milliseconds>(end - loop_.clock().steady()));
    alarm_.start(std::max(left, milliseconds(0)));
    if (left <= milliseconds(0)) {
        alarm_.rang = true;
        co_return 0;
    }
    const std::size_t count = co_await read_into(into);
    body_received_ += count;
    co_return count;
}

template <class Stream>
Error Connection<Stream>::reading_failed() const
{
    if (alarm_.rang)
        return {Errc::request_timeout, "The body of the request did not arrive in time."};
    return invalid_request("The connection ended before the body did.");
}

// Discards a refused body, so that the next request can be read after it.
template <class Stream>
Task<bool> Connection<Stream>::discard_body()
{
    const std::size_t whole = request_.content_length.value_or(0);
    const std::size_t buffered = std::min(whole, buffer_.bytes().size() - request_size_);
    request_size_ += buffered;
    std::size_t left = whole - buffered;
    std::array<char, 4096> nowhere;
    body_begun_ = loop_.clock().steady();
    body_received_ = 0;
    while (left > 0) {
        left -= co_await read_of_body(boost::asio::buffer(nowhere, left));
        if (!last_read_succeeded_ || alarm_.rang) co_return false;
    }
    alarm_.disarm();
    co_return true;
}

template Task<Result<std::string>> Connection<PlainStream>::body(std::size_t, Payer);
template Task<Result<std::string>> Connection<TlsStream>::body(std::size_t, Payer);
template Result<> Connection<PlainStream>::reserve_response(std::size_t, const Payer&);
template Result<> Connection<TlsStream>::reserve_response(std::size_t, const Payer&);
template Result<Charge> Connection<PlainStream>::charge_response(std::size_t, const Payer&);
template Result<Charge> Connection<TlsStream>::charge_response(std::size_t, const Payer&);
template Task<bool> Connection<PlainStream>::discard_body();
template Task<bool> Connection<TlsStream>::discard_body();

}  // namespace parley::http
