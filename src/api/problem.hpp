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
    std::string_view explanation;  // For people: what happened, and what to do about it.
};

// All of them, in the order of Errc.
std::span<const Problem> problems();

const Problem& problem_of(Errc errc);

// Null where there is no such code.
const Problem* find_problem(std::string_view code);

// The address of the page about a problem: absolute where the server knows its own, else a path.
std::string problem_type(const Problem& problem, std::string_view public_url);

// The `retry_after` of an error that another try would only bring back.
inline constexpr std::chrono::seconds never_again{0};

// When to try again, for errors that pass.
void add_retry_after(const Error& error, http::Fields& fields);

// What a client learns of an error: of our own failures nothing but that there was one.
std::string_view detail_of(const Error& error);

// The response that tells a client of an error. Of an internal one it tells nothing but that.
http::Response problem_response(const Error& error, std::string_view request_id,
                                std::string_view public_url);

}  // namespace parley::api
