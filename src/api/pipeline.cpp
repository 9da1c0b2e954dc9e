#include "api/pipeline.hpp"

#include "api/authorization.hpp"
#include "api/budget.hpp"
#include "api/common_headers.hpp"
#include "api/openai_error.hpp"
#include "api/pipeline_visit.hpp"
#include "api/problem.hpp"
#include "api/public_url.hpp"
#include "api/request_id.hpp"
#include "api/target.hpp"
#include "api/trace.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace parley::api {
namespace {

constexpr std::size_t max_logged_path = 256;

Error bug_in_endpoint(std::string what)
{
    return {Errc::internal, "an endpoint threw an exception", std::move(what)};
}

// Logs the part of an error that the client does not see.
void log_what_is_hidden(const Error& error, const std::string& request_id)
{
    if (error.detail.empty() && error.code != Errc::internal) return;
    log::error("request failed", log::kv("code", problem_of(error.code).code),
               log::kv("reason", error.message), log::kv("detail", error.detail),
               log::kv("request_id", request_id));
}

}  // namespace

Pipeline::Pipeline(std::vector<Route> table, const Services& services, metrics::Metrics& metrics,
                   const Clock& clock, PipelineOptions options)
    : services_(services),
      clock_(clock),
      public_url_(without_slash_at_end(std::move(options.public_url))),
      public_path_(path_of(public_url_)),
      contact_(std::move(options.contact)),
      authenticator_(options.authenticator),
      hook_authenticator_(options.hook_authenticator),
      limiter_(options.limiter),
      trusted_proxies_(std::move(options.trusted_proxies)),
      readiness_(options.readiness),
      max_body_(options.max_body),
      cors_(std::move(options.cors_origins)),
      router_(table),
      unrouted_(metrics.requests("(none)", "", "none")),
      refused_(metrics.requests("(refused)", "", "none"))
{
    for (Route& route : table) {
        const bool is_known = route.access && route.access->credential != Credential::token
                                  ? hook_authenticator_ != nullptr
                                  : authenticator_ != nullptr;
        if (route.access && !is_known)
            throw std::logic_error("there is no authentication, and " + route.method + " " +
                                   route.path + " needs the caller");
        for (const ServiceKey& need : route.needs)
            if (!services_.has(need))
                throw std::logic_error("missing service " + need.name() + ", which " +
                                       route.method + " " + route.path + " needs");
        metrics::RequestMetrics& counted =
            metrics.requests(route.path, route.method,
                             std::string(route.is_counted() ? limits::name(route.limit) : "none"));
        rows_.push_back({std::move(route), counted});
    }
}

Task<http::Response> Pipeline::serve(http::Exchange& exchange)
{
    // Request id: first, so that everything that follows can be found in the log by it.
    const http::RequestHead& head = exchange.request();
    CommonHeaders common_headers(cors_, head, exchange.peer(), request_id(head, clock_),
                                 public_path_);
    tracing::OpenSpan span("request", tracing::Kind::server, traceparent(head));
    Visit visit{.call = {exchange, services_, common_headers, client_of(exchange)},
                .begun = clock_.steady(),
                .span = span};
    visit.call.trace = span.traceparent();

    Result<> passed;
    try {
        // Route: before the body, so that an unknown path costs no more than its head.
        passed = find_row(visit);

        // Token: before all expensive steps. Under /v1 also before the response shows whether a
        // path or method exists: callers without a token must not learn that.
        if (visit.needs_token()) {
            auto identified = identify(visit);
            const Result<> known =
                identified.is_ready() ? identified.take() : co_await identified.wait();
            if (!known) passed = known;
        }

        // Signature: it covers the body, which is therefore read before the sender is known; not
        // without a signature.
        if (passed && visit.is_signed()) passed = co_await receive_signed(visit);

        // Limit: after the token, which selects the budget; requests without a token are limited,
        // too. Before the body, so that every body is charged.
        std::optional<Budget> budget;
        if (limiter_ && visit.is_counted()) {
            budget.emplace(*limiter_, visit.call, visit.limit_class(), visit.may_replay());
            Ready<Result<>> charging =
                visit.is_free ? Ready<Result<>>(budget->look()) : budget->charge();
            const Result<> charged =
                charging.is_ready() ? charging.take() : co_await charging.wait();
            if (!charged) passed = charged;
        }

        // Shutdown, full disk: running requests are finished, new ones are refused.
        if (passed && readiness_ && !visit.during_shutdown()) passed = readiness_->check_open();
        if (passed && readiness_ && visit.needs_room()) passed = readiness_->check_room();

        // Body: after all checks that do not need it. A body that is not read is discarded.
        const bool looks_at_body = passed && (visit.takes_body() || visit.must_not_have_body());
        if (looks_at_body) passed = co_await read_body(visit);

        // Limit that depends on the body. An attempt to log in counts even if it is invalid.
        if (looks_at_body && budget && budget->is_charged()) {
            auto settled = co_await settle(visit, *budget, passed.has_value());
            if (!settled) passed = std::move(settled);
        }
        if (budget) budget->add_fields(common_headers);

        // Token again: receiving the body can take minutes, and the token may be revoked by now.
        if (passed && looks_at_body && visit.call.caller && !visit.is_signed()) {
            auto identified = identify(visit);
            passed = identified.is_ready() ? identified.take() : co_await identified.wait();
        }

        // Call: checks path, query and body together, so that the response lists all faults.
        if (passed && visit.row) {
            auto answer = co_await visit.row->route.call(visit.call);
            if (!answer)
                passed = answer.error();
            else
                visit.response =
                    std::move(visit.call.stream_head ? *visit.call.stream_head : *answer);
        }

        // Memory for the response: a share per client, so that slow readers cannot take it all.
        if (passed)
            passed = exchange.reserve_response(visit.response.body.size(), visit.call.payer());
    } catch (const std::exception& bug) {
        passed = bug_in_endpoint(bug.what());
    } catch (...) {
        passed = bug_in_endpoint("of unknown type");
    }

    // Problem: in one place, so that all failures have the same form.
    if (!passed) give_problem(visit, passed.error());

    // CommonHeaders: for successes and failures.
    common_headers.wrap(visit.response);

    // Log and metrics: last, so that they have the final response.
    log_and_count(visit);
    co_return std::move(visit.response);
}

Result<> Pipeline::find_row(Visit& visit) const
{
    const http::RequestHead& head = visit.head();
    Router::Found found = router_.find(head.method, head.path);
    visit.allow = found.allow;
    visit.area = found.area;
    visit.errors = error_shape(found);
    if (found.refusal) return std::move(*found.refusal);
    if (!found.row) {
        visit.response.status = 204;
        visit.response.fields.add("Allow", found.allow);
        cors_.add_preflight_fields(head, found.allow, visit.response.fields);
        visit.is_free = cors_.allows_preflight(head);
        return {};
    }
    visit.row = &rows_[*found.row];
    visit.call.unknown_fields = visit.row->route.unknown_fields;
    // Links from other sites to pages outside /v1 may carry parameters for trackers and the like.
    visit.call.unknown_parameters =
        visit.is_versioned() ? visit.row->route.unknown_fields : fields::UnknownFields::ignored;
    visit.call.path = std::move(found.parameters);
    auto query = query_parameters(head.query);
    if (!query) return query.error();
    visit.call.query = std::move(*query);
    return {};
}

ErrorShape Pipeline::error_shape(const Router::Found& found) const
{
    if (found.path_row) return rows_[*found.path_row].route.errors;
    return found.area == Area::openai ? ErrorShape::openai : ErrorShape::problem;
}

boost::asio::ip::address Pipeline::client_of(const http::Exchange& exchange) const
{
    std::vector<std::string_view> forwarded;
    for (const http::Field& field : exchange.request().fields)
        if (http::same_name(field.name, "x-forwarded-for")) forwarded.push_back(field.value);
    return limits::client_address(exchange.peer().address, forwarded, trusted_proxies_);
}

void Pipeline::give_problem(Visit& visit, Error error) const
{
    if (!contact_.empty() && problem_of(error.code).status == 401)
        error.extra.emplace("contact", contact_);
    visit.response = error_response(error, visit.errors, visit.id());
    add_challenge(error, visit.response.fields);
    if (error.code == Errc::method_not_allowed) visit.response.fields.add("Allow", visit.allow);
    log_what_is_hidden(error, visit.id());
    // The status of a stream is sent already; cutting it shows that it is incomplete.
    if (visit.streams()) visit.call.stream->cut();
}

void Pipeline::log_and_count(const Visit& visit) const
{
    const auto took = clock_.steady() - visit.begun;
    const int status = visit.streams() ? 200 : visit.response.status;
    metrics::RequestMetrics& metrics = visit.row ? visit.row->metrics : unrouted_;
    metrics.served(status, took);

    // Logs the template of the route if there is one: the path may contain private data.
    const http::RequestHead& head = visit.head();
    const std::string path =
        visit.row ? std::string() : auth::without_tokens(head.path.substr(0, max_logged_path));
    const log::Value where =
        visit.row ? log::kv("route", visit.row->route.path) : log::kv("path", path);
    const auto write = [&](const auto&... more) {
        log::info("request served", log::kv("method", head.method), where,
                  log::kv("status", status), log::kv("ms", took), log::kv("bytes", visit.bytes()),
                  log::kv("address", visit.call.client.to_string()),
                  log::kv("request_id", visit.id()), more...);
    };
    const std::string& trace = visit.call.trace;
    trace.empty() ? write() : write(log::kv("trace_id", trace_id(trace)));
    finish_span(visit, status);
}

// Probes and pages are not recorded.
void Pipeline::finish_span(const Visit& visit, int status)
{
    tracing::OpenSpan& span = visit.span;
    if (!span.is_recorded()) return;
    if (!visit.is_versioned() && !visit.is_signed()) return span.discard();
    if (visit.row) {
        span.rename(visit.row->route.method + " " + visit.row->route.path);
        span.add("http.request.method", visit.row->route.method);
        span.add("http.route", visit.row->route.path);
    }
    span.add("http.response.status_code", std::int64_t{status});
    span.add("parley.request.id", visit.id());
    if (status >= 500) span.fail(std::to_string(status));
    span.end();
}

http::Response Pipeline::error_response(const Error& error, ErrorShape shape,
                                        std::string_view request_id) const
{
    return shape == ErrorShape::openai ? openai_error_response(error)
                                       : problem_response(error, request_id, public_url_);
}

http::Response Pipeline::refuse(const Error& error, const http::Peer& peer,
                                const http::RequestHead& known)
{
    const CommonHeaders common_headers(cors_, known, peer, request_id(known, clock_));
    http::Response response = error_response(
        error, error_shape(router_.find(known.method, known.path)), common_headers.request_id());
    response.close = true;  // The start of the next request is unknown.
    common_headers.wrap(response);
    log_what_is_hidden(error, common_headers.request_id());
    refused_.count(response.status);
    log::info("request refused", log::kv("code", problem_of(error.code).code),
              log::kv("status", response.status), log::kv("address", peer.address.to_string()),
              log::kv("request_id", common_headers.request_id()));
    return response;
}

}  // namespace parley::api
