// The one error type of the service: a stable code for programs, a sentence for people.
// Expected failures travel as Result; exceptions are left for bugs and for a failed start-up.
//
// Errc lists all kinds of errors. The table in api/problem.cpp gives their meaning over HTTP:
// status, title and page under /problems.
#pragma once

#include <boost/json/object.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley {

enum class Errc {
    // The request cannot be understood.
    invalid_request,
    invalid_json,
    invalid_cursor,
    invalid_idempotency_key,
    unsupported_media_type,
    not_acceptable,
    expectation_failed,
    // The request is understood but breaks a rule.
    validation_failed,
    body_too_large,
    uri_too_long,
    headers_too_large,
    request_timeout,
    unknown_model,
    message_too_long,
    idempotency_mismatch,
    unsupported_schema,
    // The caller is unknown, or may not do this, or not now.
    missing_token,
    invalid_token,
    invalid_credentials,
    second_factor_required,
    insufficient_scope,
    rate_limited,
    budget_used_up,
    session_busy,
    automation_busy,
    quota_reached,
    run_cancelled,
    run_interrupted,
    conflict,
    precondition_failed,
    events_expired,
    // There is no such resource or method.
    not_found,
    method_not_allowed,
    not_implemented,
    // The server or an upstream failed, or cannot do it now.
    upstream_error,
    invalid_output,
    upstream_timeout,
    provider_error,
    overloaded,
    model_unavailable,
    storage_unavailable,
    shutting_down,
    internal,  // Must stay the last of those with a problem page: the table is checked against it.

    // Never sent to a client: another server has taken this run over (cluster/cluster.hpp).
    lost_ownership,
};

// One fault of a request and its place: an RFC 6901 pointer into the body, or the name of a query,
// path or header parameter. `code` is for programs, `detail` for people.
struct Fault {
    enum class Location { body, parameter };

    std::string where;
    std::string code;
    std::string detail;
    Location place = Location::body;
};
using Faults = std::vector<Fault>;

// Further faults are counted but not listed: the response must not be larger than the request body.
// One more entry, of the code further_faults, holds their number until validation_failed().
inline constexpr std::size_t max_faults = 50;
inline constexpr std::string_view further_faults = "further_faults";

// Codes of faults in a JSON Schema (room schema).
inline constexpr std::string_view unsupported_keyword = "unsupported_keyword";
inline constexpr std::string_view unsupported_schema = "unsupported_schema";

struct Error {
    Errc code = Errc::internal;
    std::string message;      // Shown to the client.
    std::string detail = {};  // Written to the log, never sent.
    Faults faults = {};       // All faults, not only the first.
    std::optional<std::chrono::seconds> retry_after = {};
    boost::json::object extra = {};  // Further members of the problem that the client gets.
};

// The value of a Result<bool>. A Result converts to bool, too: it says whether there is a value.
// With a plain bool as the value, Boost takes that answer for the value itself if a Result<bool> is
// made of another Result that is not a const lvalue, for example by `co_return` of a const
// variable: a failure, or false, would become true. This type is made of a bool and of nothing
// else.
class Truth {
public:
    constexpr Truth() = default;
    template <std::same_as<bool> Bool>
    constexpr Truth(Bool value)  // NOLINT(google-explicit-constructor): as a bool.
        : value_(value)
    {
    }
    constexpr operator bool() const  // NOLINT(google-explicit-constructor): as a bool.
    {
        return value_;
    }

private:
    bool value_ = false;
};

// A Result whose value type is deduced: of a Result<bool> that is Truth.
template <class T>
using DeducedResult = boost::system::result<T, Error>;

template <class T = void>
using Result = DeducedResult<std::conditional_t<std::is_same_v<T, bool>, Truth, T>>;

// Several faults as one error; its message is the first of them. The code is unsupported_schema if
// all faults are in a JSON Schema.
Error validation_failed(Faults faults);

inline Error invalid_request(std::string why) { return {Errc::invalid_request, std::move(why)}; }
inline Error not_found(std::string what)
{
    return {Errc::not_found, std::move(what) + " was not found"};
}

// Called by Result::value() on an unchecked failure, which is a bug.
[[noreturn]] void throw_exception_from_error(const Error& error,
                                             const boost::source_location& where);

}  // namespace parley
