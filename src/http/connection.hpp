// A client's connection: reads one request after the other, answers each before it reads the next,
// and enforces every limit of size and time. See ARCHITECTURE.md, "Life of a request".
//
// Threads: a connection never leaves its loop. It is a coroutine; its object lives in run()'s
// frame.
#pragma once

#include "http/disconnect_watcher.hpp"
#include "http/event_writer.hpp"
#include "http/framing.hpp"
#include "http/loop.hpp"
#include "http/open_connections.hpp"
#include "http/read_buffer.hpp"
#include "http/server_state.hpp"
#include "http/stream.hpp"

#include <memory>
#include <optional>
#include <string>

namespace parley::http {

template <class Stream>
class Connection final : public Exchange, public OpenConnection {
public:
    Connection(Loop& loop, ServerState& state, OpenConnections& open, Stream stream, Peer peer);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override;

    // Serves the client until one side closes the connection.
    Task<> run();
    // Tells the client why it is not served, and closes.
    Task<> turn_away(const Error& error);

    const RequestHead& request() const override { return request_; }
    const Peer& peer() const override { return peer_; }
    Task<Result<std::string>> body(std::size_t limit, Payer payer) override;
    void shrink_body_share(std::size_t bytes) override
    {
        body_share_.shrink_to(bytes);
        stranger_share_.shrink_to(bytes);
    }
    Result<> reserve_response(std::size_t bytes, const Payer& payer) override;
    Result<Charge> charge_response(std::size_t bytes, const Payer& payer) override;
    EventStream& stream(Response head) override;
    void on_disconnect(std::function<void()> callback) override;

    void close_if_idle() override;
    void cut() override;

private:
    // Wakes the coroutine that waits for the socket.
    class Alarm final : public Deadline {
    public:
        explicit Alarm(Connection& connection) : connection_(connection) {}
        bool rang = false;
        void start(std::chrono::milliseconds wait)
        {
            rang = false;
            arm(connection_.loop_.wheel(), wait);
        }

    private:
        void expired() override
        {
            rang = true;
            connection_.cancel();
        }
        Connection& connection_;
    };

    // How far the body of the current request has been read.
    enum class BodyState { none, unread, read, broken };

    Task<bool> shake_hands();
    Task<bool> serve_one();
    Task<Result<bool>> read_head();
    void may_give_way(bool may);
    Task<bool> wait_for_request();
    Task<bool> read_more();
    std::optional<bool> read_what_came();
    Task<Response> respond();
    Task<Result<>> read_sized_body(std::string& body);
    Task<Result<>> read_chunked_body(std::string& body, std::size_t limit);
    Task<std::size_t> read_of_body(boost::asio::mutable_buffer into);
    Task<std::size_t> read_into(boost::asio::mutable_buffer into);
    bool take_for_body(std::size_t bytes);
    Error reading_failed() const;
    Task<bool> discard_body();
    Task<bool> answer(Response response);
    Task<bool> end_stream();
    Task<bool> write(std::string_view head, std::string_view body);
    Task<> linger();
    void begin_request();
    // False if the buffer cannot hold the bytes after the request.
    bool end_request();
    void set_busy(bool busy);
    void cancel();
    bool ask_whether_there();

    Loop& loop_;
    ServerState& state_;
    OpenConnections& open_;
    Stream stream_;
    Peer peer_;
    ReadBuffer buffer_;
    Alarm alarm_{*this};
    RequestHead request_;
    Share body_share_;
    Share stranger_share_;  // As much of the body as was read before its user was known.
    Payer body_payer_;
    std::size_t body_uncounted_ = 0;  // Bytes that the body may still have without being counted.
    Share response_share_;
    SteadyPoint body_begun_;
    std::size_t body_received_ = 0;  // Encoded size.
    std::string behind_body_;        // Bytes that were read after the end of a chunked body.
    std::size_t request_size_ = 0;   // Bytes of buffer_ that belong to the current request.
    BodyState body_state_ = BodyState::none;
    bool last_read_succeeded_ = true;
    bool first_ = true;
    bool idle_ = false;
    bool busy_ = false;  // Counted in state_.busy.
    bool closing_ = false;
    std::unique_ptr<EventWriter<Stream>> events_;
    std::shared_ptr<DisconnectWatcher> disconnect_watcher_;  // Created on the first request for it.
};

}  // namespace parley::http
