// The part of a connection that reads bodies, and throws away those that were refused.
#include "http/chunked.hpp"
#include "http/connection.hpp"

#include <algorithm>
#include <array>

namespace parley::http {
namespace {

constexpr std::size_t read_size = std::size_t{16} * 1024;

Error too_many_bodies()
{
    Error error{Errc::overloaded, "Too many requests are being received; try again shortly."};
    error.retry_after = std::chrono::seconds(1);
    return error;
}

}  // namespace

template <class Stream>
Task<Result<std::string>> Connection<Stream>::body()
{
    std::string body;
    if (body_state_ != BodyState::unread) co_return body;
    const std::size_t limit = state_.limits.max_body;
    if (request_.content_length.value_or(0) > limit)
        co_return Error{Errc::body_too_large,
                        "The body exceeds " + std::to_string(limit) + " bytes."};

    const bool nothing_came = buffer_.bytes().size() == request_size_;
    if (request_.expects_continue && nothing_came) {
        request_.expects_continue = false;  // It has been told, so it will send the body.
        if (!co_await write("HTTP/1.1 100 Continue\r\n\r\n", {})) co_return reading_failed();
    }
    alarm_.start(state_.limits.body_wait);
    Result<> read;
    if (request_.chunked)
        read = co_await read_chunked_body(body);
    else
        read = co_await read_sized_body(body);
    alarm_.disarm();
    body_state_ = read ? BodyState::read : BodyState::broken;
    if (read) co_return body;
    allowance_.reset();
    co_return read.error();
}

template <class Stream>
Task<Result<>> Connection<Stream>::read_sized_body(std::string& body)
{
    const std::size_t whole = request_.content_length.value_or(0);
    const std::string_view buffered = buffer_.bytes().substr(request_size_, whole);
    if (!allowance_.take(buffered.size())) co_return too_many_bodies();
    body = buffered;
    request_size_ += buffered.size();
    while (body.size() < whole) {
        // Grows with what really comes: a promise of a large body costs nothing.
        const std::size_t before = body.size();
        const std::size_t more = std::min(whole - before, std::max(read_size, before));
        if (!allowance_.take(more)) co_return too_many_bodies();
        body.resize(before + more);
        std::size_t filled = before;
        while (filled < body.size()) {
            filled +=
                co_await read_into(boost::asio::buffer(body.data() + filled, body.size() - filled));
            if (!last_read_succeeded_ || alarm_.rang) co_return reading_failed();
        }
    }
    co_return Result<>();
}

template <class Stream>
Task<Result<>> Connection<Stream>::read_chunked_body(std::string& body)
{
    ChunkedDecoder decoder(state_.limits.max_body);
    const auto used = decoder.feed(buffer_.bytes().substr(request_size_), body);
    if (!used) co_return used.error();
    request_size_ += *used;
    if (!allowance_.take(body.size())) co_return too_many_bodies();
    // Into memory of its own: the head's views point into the connection's buffer.
    std::string piece(decoder.done() ? 0 : read_size, '\0');
    while (!decoder.done()) {
        const std::size_t count = co_await read_into(boost::asio::buffer(piece));
        if (!last_read_succeeded_ || alarm_.rang) co_return reading_failed();
        const std::size_t before = body.size();
        const auto taken = decoder.feed({piece.data(), count}, body);
        if (!taken) co_return taken.error();
        if (!allowance_.take(body.size() - before)) co_return too_many_bodies();
        if (decoder.done()) behind_body_.assign(piece, *taken, count - *taken);
    }
    co_return Result<>();
}

template <class Stream>
Error Connection<Stream>::reading_failed() const
{
    if (alarm_.rang) return {Errc::request_timeout, "The body of the request took too long."};
    return invalid_request("The connection ended before the body did.");
}

// Reads a refused body into nowhere, so that the next request can be found behind it.
template <class Stream>
Task<bool> Connection<Stream>::discard_body()
{
    const std::size_t whole = request_.content_length.value_or(0);
    const std::size_t buffered = std::min(whole, buffer_.bytes().size() - request_size_);
    request_size_ += buffered;
    std::size_t left = whole - buffered;
    std::array<char, 4096> nowhere;
    alarm_.start(state_.limits.body_wait);
    while (left > 0) {
        left -= co_await read_into(boost::asio::buffer(nowhere, left));
        if (!last_read_succeeded_ || alarm_.rang) co_return false;
    }
    alarm_.disarm();
    co_return true;
}

template Task<Result<std::string>> Connection<PlainStream>::body();
template Task<Result<std::string>> Connection<TlsStream>::body();
template Task<bool> Connection<PlainStream>::discard_body();
template Task<bool> Connection<TlsStream>::discard_body();

}  // namespace parley::http
