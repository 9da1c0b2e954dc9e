// The part of a connection that sends responses, and closes without losing them.
#include "http/connection.hpp"
#include "http/response_head.hpp"

#include <algorithm>
#include <array>

namespace parley::http {

template <class Stream>
EventStream& Connection<Stream>::stream(Response head)
{
    const bool chunked = !request_.http_1_0;
    std::string text;
    append_head(text, head, loop_.date_line(),
                {.framing = chunked ? BodyFraming::chunked : BodyFraming::closed,
                 .keep_alive = chunked && request_.keep_alive && body_state_ != BodyState::unread,
                 .http_1_0 = request_.http_1_0});
    events_ = std::make_unique<EventWriter<Stream>>(loop_, stream_, state_.limits, std::move(text),
                                                    chunked);
    return *events_;
}

template <class Stream>
void Connection<Stream>::on_disconnect(std::function<void()> callback)
{
    if (!disconnect_watcher_) {
        if (!callback) return;
        disconnect_watcher_ = std::make_shared<DisconnectWatcher>(
            loop_, stream_.socket(), [this] { return ask_whether_there(); });
    }
    disconnect_watcher_->watch(std::move(callback));
}

// Probes a client that has ended its sending direction: it may still read the response. HTTP/1.0
// and TLS clients only do so when they disconnect.
template <class Stream>
bool Connection<Stream>::ask_whether_there()
{
    if (Stream::secure || request_.http_1_0) return false;
    static const Frame comment = std::make_shared<const std::string>(": ping\n\n");
    if (events_ && events_->started()) return events_->offer(comment);
    constexpr std::string_view interim = "HTTP/1.1 102 Processing\r\n\r\n";
    ErrorCode error;
    return stream_.try_write(boost::asio::buffer(interim), error) == interim.size();
}

template <class Stream>
Task<bool> Connection<Stream>::end_stream()
{
    const bool whole = co_await events_->finish();
    const bool body_read = body_state_ == BodyState::none || body_state_ == BodyState::read;
    if (whole && request_.keep_alive && !request_.http_1_0 && body_read && !closing_)
        co_return true;
    if (whole) co_await linger();
    co_return false;
}

// Sends a response. True if another request may follow on this connection.
template <class Stream>
Task<bool> Connection<Stream>::answer(Response response)
{
    const bool rest_is_small = !request_.chunked && !request_.expects_continue &&
                               request_.content_length.value_or(0) <= state_.limits.max_discarded;
    const bool next_is_findable = body_state_ == BodyState::none ||
                                  body_state_ == BodyState::read ||
                                  (body_state_ == BodyState::unread && rest_is_small);
    const bool keep_alive = next_is_findable && request_.keep_alive && !response.close &&
                            !closing_ && !state_.closing.load(std::memory_order_relaxed);

    std::string& head = loop_.scratch();
    head.clear();
    append_head(head, response, loop_.date_line(),
                {.keep_alive = keep_alive, .http_1_0 = request_.http_1_0});
    const bool without_body = request_.method == "HEAD" || forbids_body(response.status);
    const bool written =
        co_await write(head, without_body ? std::string_view() : response.content());
    if (!written) co_return false;
    if (keep_alive && body_state_ == BodyState::unread) co_return co_await discard_body();
    if (keep_alive) co_return true;
    response = {};  // Frees the memory of the response before waiting for the client to close.
    co_await linger();
    co_return false;
}

// `head` may be in the loop's scratch buffer: bytes that the kernel does not take at once are
// copied.
template <class Stream>
Task<bool> Connection<Stream>::write(std::string_view head, std::string_view body)
{
    std::array<boost::asio::const_buffer, 2> both{boost::asio::buffer(head),
                                                  boost::asio::buffer(body)};
    ErrorCode error;
    const std::size_t sent = stream_.try_write(both, error);
    if (error && error != boost::asio::error::would_block) co_return false;
    if (sent == head.size() + body.size()) co_return true;

    const std::string rest_of_head(head.substr(std::min(sent, head.size())));
    body.remove_prefix(sent > head.size() ? sent - head.size() : 0);
    both = {boost::asio::buffer(rest_of_head), boost::asio::buffer(body)};
    const auto end = loop_.clock().steady() + state_.limits.response_wait;
    while (boost::asio::buffer_size(both) != 0) {
        using std::chrono::milliseconds;
        const auto left = std::chrono::ceil<milliseconds>(end - loop_.clock().steady());
        if (left <= milliseconds(0)) co_return false;
        alarm_.start(std::min(state_.limits.write_wait, left));
        error = {};
        const std::size_t count = co_await stream_.write_some(both, error);
        if (error || alarm_.rang) co_return false;
        const std::size_t of_head = std::min(count, both[0].size());
        both[0] += of_head;
        both[1] += count - of_head;
    }
    alarm_.disarm();
    co_return true;
}

// Closing a socket with unread input resets the connection, and the client could lose the response.
// So this ends the sending direction first, and discards further input for a while.
template <class Stream>
Task<> Connection<Stream>::linger()
{
    ErrorCode error;
    body_share_.reset();
    stranger_share_.reset();
    response_share_.reset();
    set_busy(false);
    alarm_.start(state_.limits.linger_silence);
    co_await stream_.say_goodbye();
    stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, error);
    const auto end = loop_.clock().steady() + state_.limits.linger_wait;
    std::array<char, 4096> nowhere;
    while (!error && !closing_ && loop_.clock().steady() < end) {
        alarm_.start(state_.limits.linger_silence);
        co_await stream_.socket().async_read_some(boost::asio::buffer(nowhere),
                                                  boost::asio::redirect_error(awaiting, error));
    }
    alarm_.disarm();
}

template EventStream& Connection<PlainStream>::stream(Response);
template EventStream& Connection<TlsStream>::stream(Response);
template void Connection<PlainStream>::on_disconnect(std::function<void()>);
template void Connection<TlsStream>::on_disconnect(std::function<void()>);
template bool Connection<PlainStream>::ask_whether_there();
template bool Connection<TlsStream>::ask_whether_there();
template Task<bool> Connection<PlainStream>::end_stream();
template Task<bool> Connection<TlsStream>::end_stream();
template Task<bool> Connection<PlainStream>::answer(Response);
template Task<bool> Connection<TlsStream>::answer(Response);
template Task<bool> Connection<PlainStream>::write(std::string_view, std::string_view);
template Task<bool> Connection<TlsStream>::write(std::string_view, std::string_view);

}  // namespace parley::http
