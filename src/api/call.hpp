// One request on its way through a row of the route table: what the pipeline has read of it, and
// what the endpoint may use to answer it.
//
// Threads: lives on the event loop of its connection.
#pragma once

#include "api/caller.hpp"
#include "api/common_headers.hpp"
#include "api/open_streams.hpp"
#include "api/services.hpp"
#include "fields/read.hpp"
#include "http/exchange.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::api {

struct Call {
    http::Exchange& exchange;
    const Services& services;
    CommonHeaders& common_headers;  // Sent with every kind of response.

    boost::asio::ip::address client;  // The peer, or the client that trusted proxies name.
    auth::CallerRef caller = {};      // Null without a valid token.

    std::vector<fields::Parameter> path = {};
    std::vector<fields::Parameter> query = {};
    boost::json::value body = {};  // Null unless the row takes a body.
    std::string body_text = {};    // Unchanged; only if the row keeps it.
    fields::UnknownFields unknown_fields = fields::UnknownFields::refused;  // In the body.
    fields::UnknownFields unknown_parameters = fields::UnknownFields::refused;
    bool counts_as_replay = false;  // It was charged as an idempotent replay.
    std::string trace = {};         // The `traceparent` of its parts; may be empty.

    // The body has moved to its reader.
    void let_go_of_body()
    {
        body = nullptr;
        exchange.shrink_body_share(0);
    }

    http::Payer payer() const
    {
        return {client, caller ? std::string_view(caller->user) : std::string_view()};
    }

    http::EventStream* stream = nullptr;             // Once the endpoint has opened one.
    std::optional<http::Response> stream_head = {};  // The response to HEAD instead of a stream.
    std::unique_ptr<OpenStreams::Entry> stream_entry = {};
};

// An endpoint that takes a Stream can answer with events instead of a response.
class Stream {
public:
    explicit Stream(Call& call) : call_(&call) {}

    // Opens the stream, which is cut if the caller's token is revoked. The result of the endpoint
    // is then not sent, but an error cuts the stream. Null for a HEAD request, which gets only the
    // head.
    Task<http::EventStream*> open(std::string_view media_type = event_stream);

    // The same for an endpoint that watches the rights of its caller itself, and cuts the stream.
    http::EventStream* open_unwatched(std::string_view media_type = event_stream);

    // Only for endpoints that have a caller among their parameters.
    CallerRights rights() const { return {call_->services.get<OpenStreams>(), call_->caller}; }

    // Memory that the stream holds while its client does not read. Fails with overloaded.
    Result<http::Charge> charge(std::size_t bytes) const
    {
        return call_->exchange.charge_response(bytes, call_->payer());
    }

private:
    static constexpr std::string_view event_stream = "text/event-stream; charset=utf-8";

    Call* call_;
};

// The memory that the body of a request is charged for.
class BodyShare {
public:
    explicit BodyShare(Call& call) : exchange_(&call.exchange) {}

    void shrink_to(std::size_t bytes) const { exchange_->shrink_body_share(bytes); }

private:
    http::Exchange* exchange_;
};

// An endpoint that takes a ClientDisconnect is told when its client disconnects: for work that only
// this client needs.
class ClientDisconnect {
public:
    explicit ClientDisconnect(Call& call) : exchange_(&call.exchange) {}

    // While this lives, `callback` is called on this loop when the client disconnects.
    class Watch {
    public:
        Watch(http::Exchange& exchange, std::function<void()> callback) : exchange_(exchange)
        {
            exchange.on_disconnect(std::move(callback));
        }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;
        ~Watch() { exchange_.on_disconnect(nullptr); }

    private:
        http::Exchange& exchange_;
    };
    Watch watch(std::function<void()> callback) const { return {*exchange_, std::move(callback)}; }

private:
    http::Exchange* exchange_;
};

}  // namespace parley::api
