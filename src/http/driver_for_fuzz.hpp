// For fuzzers of a whole connection: runs a scenario on a connection whose other end is in this
// process, on one thread, with a manual clock.
#pragma once

#include "http/connection.hpp"
#include "http/handler_for_tests.hpp"
#include "http/model_for_fuzz.hpp"

#include <exception>
#include <sys/socket.h>

namespace parley::http::fuzz {

// Shared by all scenarios. A scenario must leave no state in it.
struct World {
    ManualClock clock;
    Loop loop{clock};

    static World& one()
    {
        static World& world = *new World;
        return world;
    }

    // Lets the server work as far as it can without time passing.
    bool settle()
    {
        loop.context().restart();
        return loop.context().poll() > 0;
    }
    void pass(std::chrono::milliseconds time)
    {
        clock.advance(time);
        loop.wheel().advance();
    }
};

// A `Line` is the client's end: it creates the stream of the server's end, sends and receives as
// much as the socket allows, and disconnects.
template <class Line>
class Driver {
public:
    explicit Driver(const Scenario& scenario) : scenario_(scenario)
    {
        handler_.on_request = [this](Exchange& exchange) { return serve(exchange); };
        gate_.expires_at(std::chrono::steady_clock::time_point::max());
    }

    void run()
    {
        boost::asio::co_spawn(world_.loop.executor(), connect(),
                              [this](const std::exception_ptr& failure) {
                                  require(!failure, "the connection threw");
                                  ended_ = true;
                              });
        line_.establish([this] { settle(); });
        for (const Piece& piece : scenario_.pieces) send(piece);
        leave();
        for (int i = 0; i < 2000 && !ended_; ++i) {
            world_.pass(std::chrono::milliseconds(300));
            gate_.cancel();
            settle();
        }
        settle();
        require(ended_, "the connection does not end");
        require(state_.bodies.taken() == 0 && state_.responses.taken() == 0, "memory is held");
        require(state_.bodies.payers() == 0 && state_.responses.payers() == 0, "payers are held");
        require(state_.busy == 0, "a request is still counted");
        if (scenario_.end == End::closes || scenario_.end == End::is_cut) return;
        check(received_, model(scenario_, boundaries_));
    }

private:
    static Limits limits()
    {
        Limits limits;
        limits.max_discarded = max_discarded;
        return limits;
    }

    Task<> connect()
    {
        Connection connection(world_.loop, state_, open_, line_.server_end(world_.loop),
                              {.address = boost::asio::ip::address_v4::loopback()});
        co_await connection.run();
    }

    Task<Response> serve(Exchange& exchange)
    {
        const std::string_view path = exchange.request().path;
        require(path == "/" + std::to_string(served_), "another request than the next one runs");
        const std::size_t number = served_++;
        const Handling handling = scenario_.requests[number].handling;
        if (handling == Handling::refuse)
            co_return Response{.status = 429, .fields = {}, .body = "no"};
        if (handling == Handling::stream) {
            EventStream& events = exchange.stream({});
            const std::string text = stream_of(number);
            const std::size_t half = text.size() / 2;
            events.offer(std::make_shared<const std::string>(text.substr(0, half)));
            co_await events.send(std::make_shared<const std::string>(text.substr(half)));
            co_return Response();
        }
        if (handling == Handling::hold) {
            exchange.on_disconnect([] {});
            ErrorCode ignored;
            co_await gate_.async_wait(boost::asio::redirect_error(awaiting, ignored));
            exchange.on_disconnect(nullptr);
        }
        const Payer payer{exchange.peer().address, "ana"};
        Response response = co_await echo_within(exchange, body_limit, payer);
        require(exchange.reserve_response(response.body.size(), payer).has_value(), "no room");
        co_return response;
    }

    void settle()
    {
        while (world_.settle()) line_.receive(received_);
        line_.receive(received_);
    }

    void send(const Piece& piece)
    {
        std::string_view bytes = std::string_view(scenario_.bytes).substr(sent_, piece.size);
        sent_ += piece.size;
        // Stops sending if the server has closed or does not read.
        for (int attempts = 0; !bytes.empty() && attempts < 3; ++attempts) {
            const std::size_t count = line_.send(bytes);
            if (count != 0) attempts = 0;
            bytes.remove_prefix(count);
            settle();
        }
        if (bytes.empty()) boundaries_.push_back(sent_);
        if (piece.lets_go) gate_.cancel();
        // Not enough time for a timeout.
        if (piece.passes_time && ++times_passed_ < 20) world_.pass(std::chrono::milliseconds(150));
        settle();
    }

    void leave()
    {
        if (scenario_.end == End::finishes_sending) line_.finish();
        if (scenario_.end == End::closes) line_.close();
        if (scenario_.end == End::is_cut) {
            open_.for_each(&OpenConnection::close_if_idle);
            open_.for_each(&OpenConnection::cut);
        }
        settle();
        gate_.cancel();
        settle();
    }

    const Scenario& scenario_;
    World& world_ = World::one();
    FunctionHandler handler_;
    ServerState state_{limits(), handler_};
    OpenConnections open_;
    Timer gate_{world_.loop.executor()};  // Cancelled to release held requests.
    Line line_;
    std::string received_;
    std::vector<std::size_t> boundaries_;
    std::size_t sent_ = 0;
    std::size_t served_ = 0;
    int times_passed_ = 0;
    bool ended_ = false;
};

// Both ends of a connection inside this process, with the socket type of TCP.
class SocketPair {
public:
    SocketPair() { require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_) == 0, ""); }
    SocketPair(const SocketPair&) = delete;
    SocketPair& operator=(const SocketPair&) = delete;
    ~SocketPair()
    {
        close();
        if (ends_[1] >= 0) ::close(ends_[1]);
    }

    int client() const { return ends_[0]; }
    Socket server(Loop& loop)
    {
        Socket socket(loop.executor());
        socket.assign(boost::asio::ip::tcp::v4(), std::exchange(ends_[1], -1));
        socket.non_blocking(true);
        return socket;
    }
    void finish() { ::shutdown(ends_[0], SHUT_WR); }
    void close()
    {
        if (ends_[0] >= 0) ::close(std::exchange(ends_[0], -1));
    }

private:
    int ends_[2] = {-1, -1};
};

}  // namespace parley::http::fuzz
