#include "http/client/exchange.hpp"

#include "http/client/tls.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::http::client {
namespace {

// A body of this size is sent in the same packet, and the same TLS record, as the head.
constexpr std::size_t small_body = std::size_t{8} * 1024;

// Repeating these has no further effect (RFC 9110 §9.2.2).
bool is_idempotent(std::string_view method)
{
    constexpr std::array<std::string_view, 5> methods{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};
    return std::find(methods.begin(), methods.end(), method) != methods.end();
}

std::string origin_of(const Url& url)
{
    return (url.secure() ? "https://" : "http://") + url.host_and_port();
}

}  // namespace

ClientExchange::ClientExchange(std::shared_ptr<ClientState> state, ClientRequest request,
                               std::optional<std::size_t> max_body)
    : state_(std::move(state)),
      request_(std::move(request)),
      max_body_(max_body),
      end_(state_->loop.clock().steady() + request_.deadlines.total),
      origin_(origin_of(request_.url)),
      buffer_(state_->loop.blocks()),
      parser_(new_parser())
{
}

ClientExchange::~ClientExchange()
{
    buffer_.consume(handed_out_);
    if (parser_.done()) let_go_of_connection();
}

ResponseParser ClientExchange::new_parser() const
{
    // More would not fit into the buffer.
    const std::size_t max_head = std::min(request_.max_head, max_head_size);
    return {request_.method == "HEAD", {.head = max_head, .body = max_body_}};
}

Task<ClientResult<>> ClientExchange::start()
{
    if (aborted_) co_return input_failed();
    auto head_text = write_request_head(request_, state_->options.user_agent);
    if (!head_text) co_return head_text.error();
    message_ = std::move(*head_text);
    if (request_.body.size() <= small_body) message_ += std::exchange(request_.body, {});

    if (!request_.address_rule) connection_ = state_->pool.take(origin_);
    if (connection_) {
        const auto answered = co_await ask();
        if (answered || !may_ask_again(answered.error())) co_return answered;
    }
    sent_ = 0;
    const auto connected = co_await connect();
    if (aborted_) co_return input_failed();
    if (!connected) co_return connected;
    co_return co_await ask();
}

// The server may have closed a kept connection just before this request.
bool ClientExchange::may_ask_again(const ClientError& error) const
{
    return error.kind == ClientFailure::closed && !answered_ && !aborted_ &&
           (sent_ == 0 || is_idempotent(request_.method));
}

void ClientExchange::abort()
{
    aborted_ = true;
    if (connection_) connection_->abandon();
}

Task<ClientResult<>> ClientExchange::connect()
{
    boost::asio::ssl::context* tls = nullptr;
    if (request_.url.secure()) {
        const auto made = state_->tls();
        if (!made) co_return made.error();
        tls = *made;
    }
    connection_ = std::make_unique<ClientConnection>(state_->loop);
    co_return co_await connection_->connect(request_.url, tls,
                                            std::min(request_.deadlines.connect, time_left()),
                                            request_.address_rule, state_->options.resolver);
}

Task<ClientResult<>> ClientExchange::ask()
{
    // The kernel mostly takes all of it. To await that costs a turn of the event loop.
    sent_ = 0;
    ErrorCode error;
    sent_ = connection_->try_write(unsent(), error);
    const bool is_broken = error && error != boost::asio::error::would_block;
    // A server may refuse a request before it has received all of it; its response is still read.
    whole_request_sent_ = !is_broken && (is_sent() || co_await send_rest());
    if (connection_->timed_out()) co_return input_failed();
    auto answered = co_await read_head();
    if (answered) request_.body = {};  // It is not sent again, and an answer may take minutes.
    co_return answered;
}

// False if the connection broke before all was sent.
Task<bool> ClientExchange::send_rest()
{
    while (!is_sent()) {
        wait_at_most(request_.deadlines.silence);
        ErrorCode error;
        sent_ += co_await connection_->write_some(unsent(), error);
        if (error || connection_->timed_out()) co_return false;
    }
    co_return true;
}

ClientConnection::Bytes ClientExchange::unsent() const
{
    ClientConnection::Bytes rest{boost::asio::buffer(message_), boost::asio::buffer(request_.body)};
    const std::size_t of_message = std::min(sent_, message_.size());
    rest[0] += of_message;
    rest[1] += sent_ - of_message;
    return rest;
}

Task<ClientResult<>> ClientExchange::read_head()
{
    while (!parser_.head_done()) {
        if (is_full()) co_return input_failed();
        wait_at_most(answered_ ? request_.deadlines.silence : request_.deadlines.first_byte);
        ErrorCode error;
        const std::size_t count = co_await connection_->read_some(buffer_.room(), error);
        if (take_in(count, error) != Input::some) co_return input_failed();
        const auto parsed = parse_more();
        if (!parsed) co_return parsed.error();
    }
    connection_->stop_waiting();
    if (parser_.done()) let_go_of_connection();
    co_return ClientResult<>();
}

Task<ClientResult<std::string_view>> ClientExchange::next()
{
    buffer_.consume(std::exchange(handed_out_, 0));
    while (!parser_.done()) {
        const auto piece = parse_more();
        if (!piece || !piece->empty()) co_return piece;
        if (parser_.done()) break;

        if (is_full()) co_return input_failed();
        wait_at_most(request_.deadlines.silence);
        ErrorCode error;
        const std::size_t count = co_await connection_->read_some(buffer_.room(), error);
        connection_->stop_waiting();
        const Input input = take_in(count, error);
        if (input == Input::end && parser_.end_of_input()) break;
        if (input != Input::some) co_return input_failed();
    }
    let_go_of_connection();
    co_return std::string_view();
}

// The next piece of the body; may be empty.
ClientResult<std::string_view> ClientExchange::parse_more()
{
    const auto step = parser_.feed(buffer_.bytes());
    if (!step) return failed(step.error().kind, "sent " + step.error().what);
    if (step->body.empty())
        buffer_.consume(step->used);
    else
        handed_out_ = step->used;
    return step->body;
}

// Bytes that were read into the room of buffer_.
ClientExchange::Input ClientExchange::take_in(std::size_t count, const ErrorCode& error)
{
    buffer_.received(count);
    answered_ = answered_ || count > 0;
    if (connection_->timed_out()) return Input::failed;
    if (count > 0) return Input::some;
    return error == boost::asio::error::eof ? Input::end : Input::failed;
}

// Returns the connection to the pool if the next response can be found on it; otherwise closes it.
void ClientExchange::let_go_of_connection()
{
    if (!connection_) return;
    if (parser_.keep_alive() && whole_request_sent_ && buffer_.empty() && !request_.address_rule)
        state_->pool.give(std::move(origin_), std::move(connection_));
    connection_.reset();
}

std::chrono::milliseconds ClientExchange::time_left() const
{
    return std::chrono::ceil<std::chrono::milliseconds>(end_ - state_->loop.clock().steady());
}

void ClientExchange::wait_at_most(std::chrono::milliseconds patience)
{
    connection_->wait_at_most(std::min(patience, time_left()));
}

ClientError ClientExchange::failed(ClientFailure kind, const std::string& what) const
{
    return {.kind = kind,
            .message = request_.url.host_and_port() + " " + what + ".",
            .before_first_byte = !answered_,
            .before_sending = sent_ == 0};
}

ClientError ClientExchange::input_failed() const
{
    if (aborted_) return failed(ClientFailure::closed, "did not finish: the request was aborted");
    if (connection_->timed_out()) {
        const char* what = "did not accept the request in time";
        if (whole_request_sent_) what = "did not answer in time";
        if (answered_) what = "stopped sending in the middle of its response";
        if (time_left() <= std::chrono::milliseconds(0))
            what = "did not finish its response in time";
        return failed(ClientFailure::timeout, what);
    }
    if (buffer_.bytes().size() >= max_head_size)
        return failed(ClientFailure::too_large, "sent a line that is too long");
    const char* what = "closed the connection without a response";
    if (answered_) what = "closed the connection in the middle of its response";
    return failed(ClientFailure::closed, what);
}

}  // namespace parley::http::client
