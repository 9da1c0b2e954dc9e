// One request of the client and its response: gets a connection, sends, reads the head, returns the
// body in pieces, and returns the connection to the pool if it can be reused.
//
// Threads: of the client's loop.
#pragma once

#include "http/client/client.hpp"
#include "http/client/connection.hpp"
#include "http/client/parser.hpp"
#include "http/client/pool.hpp"
#include "http/loop.hpp"
#include "http/read_buffer.hpp"

#include <memory>
#include <optional>
#include <string>

namespace parley::http::client {

// Shared by the requests of one client, which keep it alive, so that they may outlive the client.
struct ClientState {
    ClientState(Loop& its_loop, ClientOptions its_options);

    // Created on first use: most commands never need TLS.
    ClientResult<boost::asio::ssl::context*> tls();

    Loop& loop;
    ClientOptions options;
    ClientPool pool;

private:
    std::unique_ptr<boost::asio::ssl::context> tls_;
};

// The head of a request as it is sent. Fails with unsendable.
ClientResult<std::string> write_request_head(const ClientRequest& request,
                                             const std::string& user_agent);

class ClientExchange final : public ClientStream {
public:
    ClientExchange(std::shared_ptr<ClientState> state, ClientRequest request,
                   std::optional<std::size_t> max_body);
    ClientExchange(const ClientExchange&) = delete;
    ClientExchange& operator=(const ClientExchange&) = delete;
    ~ClientExchange() override;

    Task<ClientResult<>> start() override;
    const ClientHead& head() const override { return parser_.head(); }
    ClientHead take_head() { return parser_.take_head(); }
    Task<ClientResult<std::string_view>> next() override;
    void abort() override;

private:
    enum class Input { some, end, failed };

    Task<ClientResult<>> connect();
    Task<ClientResult<>> ask();
    Task<bool> send_rest();
    ClientConnection::Bytes unsent() const;
    bool is_sent() const { return sent_ == message_.size() + request_.body.size(); }
    Task<ClientResult<>> read_head();
    // The parser leaves at most one line or the trailers of a chunk.
    bool is_full() const { return buffer_.bytes().size() >= max_head_size; }
    Input take_in(std::size_t count, const ErrorCode& error);
    ClientResult<std::string_view> parse_more();
    bool may_ask_again(const ClientError& error) const;
    void let_go_of_connection();
    std::chrono::milliseconds time_left() const;
    void wait_at_most(std::chrono::milliseconds patience);
    ResponseParser new_parser() const;
    ClientError failed(ClientFailure kind, const std::string& what) const;
    ClientError input_failed() const;

    std::shared_ptr<ClientState> state_;
    ClientRequest request_;
    std::optional<std::size_t> max_body_;
    SteadyPoint end_;      // Deadline of the whole exchange.
    std::string origin_;   // For the pool.
    std::string message_;  // Head of the request, and its body if that is small.
    std::unique_ptr<ClientConnection> connection_;
    ReadBuffer buffer_;
    ResponseParser parser_;
    std::size_t handed_out_ = 0;  // Bytes of buffer_ that the caller may still look at.
    std::size_t sent_ = 0;
    bool whole_request_sent_ = false;
    bool answered_ = false;  // A byte of the response was received.
    bool aborted_ = false;
};

}  // namespace parley::http::client
