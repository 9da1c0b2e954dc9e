// An endpoint is a function. Its parameters say what it needs, its result is the response:
//
//   Task<Result<Created<Session>>> create_session(chat::Sessions&, SignedIn, Body<NewSession>);
//
// route<create_session>(...) makes a row of the route table of it. The router, the pipeline and the
// reference all read that table, so none of them can disagree with the code.
//
// A parameter is one of: Path<T>, Query<T>, Body<T>, CheckedBody<T, Service>, BodyWithFaults<T>
// (values, T declares its fields), UnreadBody<T>, FreeBody, SignedIn, With<scope>, TokenHolder,
// HookTokenHolder or HookSigner (the caller), Origin, const http::RequestHead&, Stream,
// ClientDisconnect, CommonHeaders&, a service by reference, or a type that is made of several of
// these (an Argument of its own, such as QuestionSource). A result is Result<T> or Task<Result<T>>:
// T declares its fields (200), or is void (204), Created<U> (201) or http::Response, sent
// unchanged.
#pragma once

#include "api/budget.hpp"
#include "api/endpoint.hpp"
#include "api/route_docs.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace parley::api {

// The shape of a route's errors: problems (RFC 9457), or the shape of OpenAI's API.
enum class ErrorShape { problem, openai };

struct Route {
    std::string method;
    std::string path;            // "/problems/{code}"
    std::string operation = {};  // "listSessions": clients generate the names of functions from it.
    std::string summary;
    RouteDocs route_docs = {};  // Further documentation for the reference.

    // JSON Schemas of the parameters and the response, if there are any.
    std::optional<boost::json::object> path_schema = {};
    std::optional<boost::json::object> query_schema = {};
    std::optional<boost::json::object> request_schema = {};
    std::optional<boost::json::object> response_schema = {};
    int success_status = 200;

    std::optional<Access> access = {};  // Nothing: it needs no token.
    // Under /v1, and of signed calls; nothing is counted elsewhere.
    limits::Class limit = limits::Class::general;
    Task<std::optional<Account>> (*account)(Call&) =
        nullptr;                                     // The account that class Auth also counts by.
    Task<Result<bool>> (*replays)(Call&) = nullptr;  // Whether it is an idempotent replay.
    std::vector<ServiceKey> needs = {};
    fields::UnknownFields unknown_fields = fields::UnknownFields::refused;
    ErrorShape errors = ErrorShape::problem;  // Also for refusals before the call.
    bool keeps_body_text = false;
    bool takes_large_body = false;  // Up to PipelineOptions::max_body.
    bool during_shutdown = false;   // Is served during shutdown.
    bool needs_room = false;        // Is refused while the disk is nearly full.
    Task<Result<http::Response>> (*call)(Call&) = nullptr;

    bool is_signed() const { return access && access->credential == Credential::hook_signature; }
    bool is_counted() const { return path.starts_with("/v1/") || is_signed(); }

    // Returns `large` for rows with a large body.
    std::size_t body_limit(std::size_t large) const;
};

// Options of a row. `open`: it needs no token. Every row whose endpoint does not take a caller must
// say so; nothing is open by oversight. `lenient`: unknown fields are ignored. `openai_errors`: all
// rows of a path have it, or none. `large_body`: takes bodies of up to server.max_body_mib.
// `during_shutdown`: is served until the process ends. `needs_room`: adds data to the store, and is
// refused while the disk is nearly full.
inline constexpr struct Open {
} open;
inline constexpr struct Lenient {
} lenient;
inline constexpr struct OpenAiErrors {
} openai_errors;
inline constexpr struct LargeBody {
} large_body;
inline constexpr struct DuringShutdown {
} during_shutdown;
inline constexpr struct NeedsRoom {
} needs_room;

// Counts in this class instead of General; Auth also counts by the account of the request. An
// idempotent replay counts as General.
struct CountedAs {
    limits::Class of;
    Task<std::optional<Account>> (*account)(Call&) = nullptr;
    Task<Result<bool>> (*replays)(Call&) = nullptr;
};

namespace detail {

inline void apply(Open /*option*/, Route& /*route*/) {}
void apply(Lenient option, Route& route);

template <class Option>
    requires requires(Option option, RouteDocs& route_docs) { option.document(route_docs); }
void apply(Option option, Route& route)
{
    option.document(route.route_docs);
}
inline void apply(OpenAiErrors /*option*/, Route& route) { route.errors = ErrorShape::openai; }
inline void apply(LargeBody /*option*/, Route& route) { route.takes_large_body = true; }
inline void apply(DuringShutdown /*option*/, Route& route) { route.during_shutdown = true; }
inline void apply(NeedsRoom /*option*/, Route& route) { route.needs_room = true; }

inline void apply(CountedAs option, Route& route)
{
    route.limit = option.of;
    route.account = option.account;
    route.replays = option.replays;
}

template <class Parameter>
void describe_parameter(Route& route)
{
    using Source = Argument<Parameter>;
    if constexpr (Source::kind == ArgumentKind::path) route.path_schema = Source::schema();
    if constexpr (Source::kind == ArgumentKind::query) route.query_schema = Source::schema();
    if constexpr (Source::kind == ArgumentKind::body) route.request_schema = Source::schema();
    if constexpr (requires { Source::takes_text; }) route.keeps_body_text = true;
    if constexpr (requires { requires Source::needs_clock; })
        route.needs.push_back(ServiceKey::of<const Clock>());
    if constexpr (requires { Source::needs(); })
        for (const ServiceKey& need : Source::needs()) route.needs.push_back(need);
    if constexpr (Source::kind == ArgumentKind::caller) route.access = Source::access;
}

template <class Returned, class... Parameters>
void describe(Route& route, Returned (* /*function*/)(Parameters...))
{
    (describe_parameter<Parameters>(route), ...);
    if (route.access && (std::is_same_v<Parameters, Stream> || ...))
        route.needs.push_back(ServiceKey::of<OpenStreams>());
    using Value = typename ReturnType<Returned>::Value;
    route.success_status = ResponseTraits<Value>::status;
    if constexpr (requires { ResponseTraits<Value>::schema(); })
        route.response_schema = ResponseTraits<Value>::schema();
    if constexpr (requires { ResponseTraits<Value>::fields; })
        for (const char* field : ResponseTraits<Value>::fields)
            route.route_docs.sent_fields.emplace_back(field);
}

// Throws std::logic_error if the {names} in the path are not the fields of the endpoint's Path.
void check_path_parameters(const Route& route);

template <class Function>
inline constexpr bool asks_who_calls = false;
template <class Returned, class... Parameters>
inline constexpr bool asks_who_calls<Returned (*)(Parameters...)> =
    ((Argument<Parameters>::kind == ArgumentKind::caller) || ...);

}  // namespace detail

template <auto function, class... Options>
Route route(std::string method, std::string path, std::string operation, std::string summary,
            Options... options)
{
    constexpr bool is_open = (std::is_same_v<Options, Open> || ...);
    static_assert(is_open != detail::asks_who_calls<decltype(function)>,
                  "an endpoint takes SignedIn or With<scope>, or its row says `open`: one of them");
    Route row{.method = std::move(method),
              .path = std::move(path),
              .operation = std::move(operation),
              .summary = std::move(summary),
              .call = detail::call_endpoint<function>};
    detail::describe(row, function);
    (detail::apply(options, row), ...);
    detail::check_path_parameters(row);
    return row;
}

}  // namespace parley::api
