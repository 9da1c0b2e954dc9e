#include "api/problem.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace parley::api {
namespace {

// In the order of Errc, so that a code is found by its number.
constexpr std::array table = std::to_array<Problem>({
    {Errc::invalid_request, 400, "invalid_request", "The request cannot be understood",
     "The request breaks the rules of HTTP: its request line, a header field, an escape in its "
     "address or the framing of its body. Libraries do not write such requests, so look at what "
     "stands between the program and the server, or at requests put together by hand. The detail "
     "says which rule was broken."},
    {Errc::invalid_json, 400, "invalid_json", "The body is not valid JSON",
     "The body could not be read as JSON. It must be UTF-8 without a byte order mark, nested at "
     "most 32 deep, no object may name a key twice, and numbers must fit a double. The detail says "
     "what is wrong and at which byte."},
    {Errc::unsupported_media_type, 415, "unsupported_media_type", "The body is not sent as JSON",
     "This operation takes a JSON body. Send it with the header field Content-Type: "
     "application/json, in UTF-8, and without a Content-Encoding."},
    {Errc::not_acceptable, 406, "not_acceptable", "No form of the answer is acceptable",
     "The Accept field of the request rules out every form in which this answer exists. Leave it "
     "away, or add application/json to it."},
    {Errc::expectation_failed, 417, "expectation_failed", "The expectation cannot be met",
     "The Expect field asks for something other than 100-continue, which is all that the server "
     "can promise. Leave the field away."},
    {Errc::validation_failed, 422, "validation_failed", "The request is not valid",
     "The request was read, and some of its values break a rule: one is missing, has the wrong "
     "type, is out of range, or is not known here at all (a typing error, most likely). The list "
     "errors names all of them at once: pointer for a place in the body, parameter for one in the "
     "address or in a header field."},
    {Errc::body_too_large, 413, "body_too_large", "The body is too large",
     "A request body may have 1 MiB at most. Send less at a time."},
    {Errc::uri_too_long, 414, "uri_too_long", "The address is too long",
     "Path and query together may have 8 KiB at most. Values of that size belong in a body."},
    {Errc::headers_too_large, 431, "headers_too_large", "The header fields are too large",
     "The header fields together may have 16 KiB, and there may be 100 of them. Cookies of other "
     "programs on the same host are a common reason."},
    {Errc::request_timeout, 408, "request_timeout", "The request took too long to arrive",
     "The server waited for the rest of the request and gave up: header fields have 10 seconds to "
     "arrive, a body 30. Nothing was done. Send the request again, over a better connection where "
     "there is one."},
    {Errc::not_found, 404, "not_found", "There is nothing here",
     "No resource has this address, or it is not yours to see; the two look the same on purpose. "
     "Check the path letter by letter: case counts, and so does a slash at the end."},
    {Errc::method_not_allowed, 405, "method_not_allowed", "The method does not work here",
     "The address exists, but not for this method. The Allow field of the response lists the "
     "methods that it takes."},
    {Errc::not_implemented, 501, "not_implemented", "The server does not know how",
     "The request uses a method or a transfer coding that this server does not speak. Methods are "
     "written in capital letters; the only transfer coding is chunked."},
    {Errc::overloaded, 503, "overloaded", "The server is busy",
     "The server has as much to do as it can bear and refused the request before working on it. "
     "Try again after the number of seconds in Retry-After, and wait longer each time."},
    {Errc::shutting_down, 503, "shutting_down", "The server is shutting down",
     "This server is about to stop and takes nothing new. Try again after the number of seconds in "
     "Retry-After; behind a load balancer another server will answer."},
    {Errc::internal, 500, "internal", "Something went wrong on our side",
     "The server made a mistake; the request may be perfectly right. What happened stands in the "
     "server's log under the request_id of the response: send it to whoever runs the server."},
});

constexpr bool table_matches_errc()
{
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].errc != static_cast<Errc>(i)) return false;
    return table.back().errc == Errc::internal;  // The last of Errc.
}
static_assert(table_matches_errc(), "every Errc has one row, in the order of Errc");

// Long enough that a client which obeys does not hammer, short enough to find a server that is
// back.
constexpr std::chrono::seconds default_retry_after{1};

boost::json::array listed(const Faults& faults)
{
    boost::json::array list;
    for (const Fault& fault : faults) {
        const char* place = fault.place == Fault::Place::body ? "pointer" : "parameter";
        list.push_back({{place, fault.where}, {"code", fault.code}, {"detail", fault.detail}});
    }
    return list;
}

}  // namespace

std::span<const Problem> problems() { return table; }

const Problem& problem_of(Errc errc) { return table.at(static_cast<std::size_t>(errc)); }

const Problem* find_problem(std::string_view code)
{
    const auto* found = std::ranges::find(table, code, &Problem::code);
    return found == table.end() ? nullptr : found;
}

std::string problem_type(const Problem& problem, std::string_view public_url)
{
    return std::string(public_url).append("/problems/").append(problem.code);
}

http::Response problem_response(const Error& error, std::string_view request_id,
                                std::string_view public_url)
{
    const Problem& problem = problem_of(error.code);
    const std::string_view detail = error.code == Errc::internal
                                        ? "The server could not complete the request."
                                        : std::string_view(error.message);

    boost::json::object body{
        {"type", problem_type(problem, public_url)},
        {"title", problem.title},
        {"status", problem.status},
        {"detail", detail},
        {"instance", std::string("urn:parley:request:").append(request_id)},
        {"code", problem.code},
        {"request_id", request_id},
    };
    if (!error.faults.empty()) body.emplace("errors", listed(error.faults));
    for (const auto& [name, value] : error.extra) body.emplace(name, value);

    http::Response response;
    response.status = problem.status;
    response.fields.add("Content-Type", "application/problem+json");
    if (error.retry_after || problem.status == 503) {
        const auto wait = error.retry_after.value_or(default_retry_after);
        response.fields.add("Retry-After", std::to_string(wait.count()));
    }
    response.body = boost::json::serialize(body);
    return response;
}

}  // namespace parley::api
