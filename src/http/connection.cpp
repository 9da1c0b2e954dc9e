#include "http/connection.hpp"

#include <algorithm>
#include <utility>

namespace parley::http {

template <class Stream>
Connection<Stream>::Connection(Loop& loop, ServerState& state, OpenConnections& open, Stream stream,
                               Peer peer)
    : loop_(loop),
      state_(state),
      open_(open),
      stream_(std::move(stream)),
      peer_(std::move(peer)),
      buffer_(loop.blocks()),
      body_share_(state.bodies),
      stranger_share_(state.bodies_of_strangers),
      response_share_(state.responses)
{
    open.add(*this);
}

template <class Stream>
Connection<Stream>::~Connection()
{
    if (disconnect_watcher_) disconnect_watcher_->close();
    set_busy(false);
}

template <class Stream>
Task<> Connection<Stream>::run()
{
    if (!co_await shake_hands()) co_return;
    do {
        begin_request();
        // Waits here and not in serve_one: an idle connection then has the fewest coroutine frames.
        if (buffer_.empty() && !co_await wait_for_request()) co_return;
    } while (co_await serve_one() && end_request());
}

template <class Stream>
Task<> Connection<Stream>::turn_away(const Error& error)
{
    if (!co_await shake_hands()) co_return;
    begin_request();
    body_state_ = BodyState::broken;
    co_await answer(state_.handler.refuse(error, peer_, {}));
}

template <class Stream>
Task<bool> Connection<Stream>::shake_hands()
{
    ErrorCode error;
    if constexpr (Stream::secure) alarm_.start(state_.limits.header_wait);
    may_give_way(true);
    co_await stream_.handshake(error);
    may_give_way(false);
    alarm_.disarm();
    co_return !error;
}

// False if the connection must end.
template <class Stream>
Task<bool> Connection<Stream>::serve_one()
{
    const Result<bool> arrived = co_await read_head();
    if (!arrived) {
        // The start of the next request is unknown.
        request_ = RequestHead();
        body_state_ = BodyState::broken;
        const RequestHead known = known_part(buffer_.bytes());
        co_return co_await answer(state_.handler.refuse(arrived.error(), peer_, known));
    }
    if (!*arrived) co_return false;
    Response response = co_await respond();
    if (events_ && (events_->started() || events_->has_ended())) co_return co_await end_stream();
    co_return co_await answer(std::move(response));
}

// False if the client disconnected before the end of the head. Fails if the request is invalid.
template <class Stream>
Task<Result<bool>> Connection<Stream>::read_head()
{
    FramingGate gate;
    auto verdict = gate.look(buffer_.bytes());
    if (verdict == FramingGate::Verdict::incomplete) alarm_.start(state_.limits.header_wait);
    while (verdict == FramingGate::Verdict::incomplete) {
        may_give_way(true);
        const bool more = co_await read_more();
        may_give_way(false);
        if (!more) {
            if (!alarm_.rang) co_return false;
            co_return Error{Errc::request_timeout,
                            "The head of the request did not arrive in time."};
        }
        verdict = gate.look(buffer_.bytes());
    }
    alarm_.disarm();
    if (verdict == FramingGate::Verdict::refused) co_return gate.error();

    request_size_ = gate.head_size();
    const auto parsed = parse_head(buffer_.bytes().substr(0, request_size_), request_);
    if (!parsed) co_return parsed.error();
    const bool has_body = request_.chunked || request_.content_length.value_or(0) > 0;
    body_state_ = has_body ? BodyState::unread : BodyState::none;
    co_return true;
}

// Reads the first bytes of the next request. An idle connection soon frees its buffer and waits
// without one.
template <class Stream>
Task<bool> Connection<Stream>::wait_for_request()
{
    using std::chrono::milliseconds;
    const milliseconds patience = first_ ? state_.limits.header_wait : state_.limits.idle_wait;
    const milliseconds warm = std::min<milliseconds>(patience / 2, std::chrono::seconds(1));
    set_busy(false);
    may_give_way(true);
    bool received = false;
    if (Stream::secure) {
        // The TLS stream may hold bytes that the socket does not report.
        alarm_.start(patience);
        received = co_await read_more();
    } else {
        if (!first_) {
            alarm_.start(warm);
            received = co_await read_more() || !buffer_.empty();
        }
        if (first_ || (!received && alarm_.rang && !closing_)) {
            buffer_.release_if_empty();
            request_ = RequestHead();
            alarm_.start(first_ ? patience : patience - warm);
            ErrorCode error;
            co_await stream_.socket().async_wait(boost::asio::socket_base::wait_read,
                                                 boost::asio::redirect_error(awaiting, error));
            if (!error && !alarm_.rang) {
                const auto came = read_what_came();
                received = came ? *came : co_await read_more();
            }
        }
    }
    alarm_.disarm();
    alarm_.rang = false;
    may_give_way(false);
    first_ = false;
    set_busy(received);
    co_return received && !closing_;
}

// Without TLS, after the socket has reported input. To await the read costs a turn of the loop. As
// read_more(), but nothing if there is no input after all.
template <class Stream>
std::optional<bool> Connection<Stream>::read_what_came()
{
    const auto room = buffer_.room();
    ErrorCode error;
    const std::size_t count =
        stream_.socket().read_some(boost::asio::buffer(room.data(), room.size()), error);
    if (error == boost::asio::error::would_block) return std::nullopt;
    last_read_succeeded_ = !error;
    buffer_.received(count);
    return last_read_succeeded_;
}

// A connection that has not sent a complete head may be closed in favour of a new one when all
// places are taken: otherwise incomplete heads could hold all of them.
template <class Stream>
void Connection<Stream>::may_give_way(bool may)
{
    idle_ = may;
    if (may)
        open_.became_idle(*this, loop_.clock().steady());
    else
        open_.became_busy(*this);
}

// False at the end of the input, after an error, or after a timeout.
template <class Stream>
Task<bool> Connection<Stream>::read_more()
{
    const auto room = buffer_.room();
    if (room.empty()) co_return false;
    buffer_.received(co_await read_into(boost::asio::buffer(room.data(), room.size())));
    co_return last_read_succeeded_ && !alarm_.rang;
}

template <class Stream>
Task<std::size_t> Connection<Stream>::read_into(boost::asio::mutable_buffer into)
{
    ErrorCode error;
    const std::size_t count = co_await stream_.read_some(into, error);
    last_read_succeeded_ = !error;
    co_return count;
}

template <class Stream>
Task<Response> Connection<Stream>::respond()
{
    std::string what;
    try {
        co_return co_await state_.handler.serve(*this);
    } catch (const std::exception& failure) {
        what = failure.what();
    }
    Error error{Errc::internal, "The server failed to handle the request."};
    error.detail = "the handler threw: " + what;
    Response response = state_.handler.refuse(error, peer_, request_);
    response.close = true;
    co_return response;
}

template <class Stream>
void Connection<Stream>::begin_request()
{
    request_size_ = 0;
    body_state_ = BodyState::none;
}

template <class Stream>
bool Connection<Stream>::end_request()
{
    if (disconnect_watcher_) disconnect_watcher_->watch(nullptr);
    events_.reset();
    body_share_.reset();
    stranger_share_.reset();
    response_share_.reset();
    buffer_.consume(request_size_);
    const bool held = buffer_.append(behind_body_);
    behind_body_.clear();
    return held;
}

template <class Stream>
void Connection<Stream>::close_if_idle()
{
    if (!idle_) return;
    closing_ = true;
    cancel();
}

template <class Stream>
void Connection<Stream>::cut()
{
    const bool again = std::exchange(closing_, true);
    if (events_) events_->cut();
    if (disconnect_watcher_) disconnect_watcher_->notify();
    const bool ends_by_itself = events_ && events_->is_writing();
    if (!ends_by_itself || again) cancel();
}

template <class Stream>
void Connection<Stream>::set_busy(bool busy)
{
    if (busy == busy_) return;
    busy_ = busy;
    if (busy)
        state_.busy.fetch_add(1, std::memory_order_relaxed);
    else
        state_.busy.fetch_sub(1, std::memory_order_relaxed);
}

template <class Stream>
void Connection<Stream>::cancel()
{
    ErrorCode ignored;
    stream_.socket().cancel(ignored);
}

template class Connection<PlainStream>;
template class Connection<TlsStream>;

}  // namespace parley::http
