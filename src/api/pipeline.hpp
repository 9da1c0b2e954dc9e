// The processing of every request, from its head to its response: Pipeline::serve is one straight
// function of named steps, and each step gives the reason for its place.
//
// Threads: one pipeline serves all event loops; it does not change after it is built.
#pragma once

#include "api/body_thread.hpp"
#include "api/call.hpp"
#include "api/cors.hpp"
#include "api/pipeline_options.hpp"
#include "api/readiness.hpp"
#include "api/route.hpp"
#include "api/router.hpp"
#include "api/services.hpp"
#include "base/clock.hpp"
#include "http/exchange.hpp"
#include "metrics/metrics.hpp"

#include <string>
#include <vector>

namespace parley::api {

class Pipeline final : public http::Handler {
public:
    // Throws std::logic_error if a row needs a service or an authenticator that is missing, or if
    // the table contradicts itself, and std::invalid_argument if an origin is malformed. Services,
    // metrics and clock must outlive the pipeline.
    Pipeline(std::vector<Route> table, const Services& services, metrics::Metrics& metrics,
             const Clock& clock, PipelineOptions options = {});

    Task<http::Response> serve(http::Exchange& exchange) override;
    http::Response refuse(const Error& error, const http::Peer& peer,
                          const http::RequestHead& known) override;

private:
    struct Row {
        Route route;
        metrics::RequestMetrics& metrics;
    };
    struct Visit;  // A request between two steps.

    Result<> find_row(Visit& visit) const;
    ErrorShape error_shape(const Router::Found& found) const;
    http::Response error_response(const Error& error, ErrorShape shape,
                                  std::string_view request_id) const;
    Ready<Result<>> identify(Visit& visit) const;
    Task<Result<>> identify_hook(Visit& visit) const;
    Task<Result<>> receive_signed(Visit& visit) const;
    static Result<> let_in(Visit& visit, Result<auth::CallerRef> caller);
    static Task<Result<>> let_in_later(Visit& visit, Ready<Result<auth::CallerRef>> caller);
    Task<Result<>> read_body(Visit& visit) const;
    static Task<Result<>> settle(Visit& visit, Budget& budget, bool has_body);
    boost::asio::ip::address client_of(const http::Exchange& exchange) const;
    void give_problem(Visit& visit, Error error) const;
    void log_and_count(const Visit& visit) const;
    static void finish_span(const Visit& visit, int status);

    const Services& services_;
    const Clock& clock_;
    std::string public_url_;
    std::string public_path_;  // Path of public_url_: the prefix that a proxy adds.
    std::string contact_;
    auth::Authenticator* authenticator_;
    auth::HookAuthenticator* hook_authenticator_;
    limits::Limiter* limiter_;
    limits::TrustedProxies trusted_proxies_;
    const Readiness* readiness_;
    std::size_t max_body_;
    Cors cors_;
    Router router_;
    std::vector<Row> rows_;  // In the order of the table that the router was built from.
    metrics::RequestMetrics& unrouted_;
    metrics::RequestMetrics& refused_;
    mutable BodyThread bodies_;
};

}  // namespace parley::api
