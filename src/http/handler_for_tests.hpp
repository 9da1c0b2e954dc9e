// For tests: a handler that is a function, and one that answers with the body of the request.
#pragma once

#include "http/exchange.hpp"

#include <atomic>
#include <functional>
#include <string>

namespace parley::http {

class FunctionHandler final : public Handler {
public:
    std::function<Task<Response>(Exchange&)> on_request = [](Exchange&) -> Task<Response> {
        co_return Response{.status = 200, .fields = {}, .body = "hello"};
    };
    std::atomic<int> served{0};
    std::atomic<int> refused{0};

    Task<Response> serve(Exchange& exchange) override
    {
        ++served;
        return on_request(exchange);
    }
    // The message as the body, with a status for the codes of http.
    Response refuse(const Error& error, const Peer&, const RequestHead&) override
    {
        ++refused;
        Response response{.status = 400, .fields = {}, .body = error.message};
        if (error.code == Errc::uri_too_long) response.status = 414;
        if (error.code == Errc::headers_too_large) response.status = 431;
        if (error.code == Errc::request_timeout) response.status = 408;
        if (error.code == Errc::expectation_failed) response.status = 417;
        if (error.code == Errc::not_implemented) response.status = 501;
        if (error.code == Errc::overloaded) response.status = 503;
        if (error.code == Errc::internal) response.status = 500;
        return response;
    }
};

// Answers with the received body, or with the status of a failure to read it.
inline Task<Response> echo_within(Exchange& exchange, std::size_t limit, Payer payer = {})
{
    auto body = co_await exchange.body(limit, payer);
    Response response;
    if (body)
        response.body = *body;
    else
        response.status = body.error().code == Errc::body_too_large    ? 413
                          : body.error().code == Errc::request_timeout ? 408
                          : body.error().code == Errc::overloaded      ? 503
                                                                       : 400;
    co_return response;
}

inline Task<Response> echo(Exchange& exchange)
{
    return echo_within(exchange, std::size_t{1} * 1024 * 1024);
}

}  // namespace parley::http
