// Every error that a client can get, as RFC 9457 problems. One table says what each code means; the
// responses, the pages under /problems and the reference all read it.
#pragma once

#include "base/error.hpp"
#include "http/message.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <span>
#include <string_view>

namespace parley::api {

struct Problem {
    Errc errc;
    int status;
    std::string_view code;
    std::string_view title;
    std::string_view explanation;  // For people: the cause and the remedy.
};

// All of them, in the order of Errc.
std::span<const Problem> problems();

const Problem& problem_of(Errc errc);

// Null if the code is unknown.
const Problem* find_problem(std::string_view code);

// The address of the page about a problem: absolute if the server knows its public address, else a
// path.
std::string problem_type(const Problem& problem, std::string_view public_url);

// The `retry_after` of an error for which a retry does not help.
inline constexpr std::chrono::seconds never_again{0};

// Adds Retry-After, for temporary errors.
void add_retry_after(const Error& error, http::Fields& fields);

// The detail for the client. Internal errors have a fixed text that reveals nothing.
std::string_view detail_of(const Error& error);

// The response for an error. That for an internal error reveals no details.
http::Response problem_response(const Error& error, std::string_view request_id,
                                std::string_view public_url);

}  // namespace parley::api
