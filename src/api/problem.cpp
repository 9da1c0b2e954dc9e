#include "api/problem.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace parley::api {
namespace {

// In the order of Errc, so that a code is found by its number.
constexpr std::array problem_table = std::to_array<Problem>({
    {Errc::invalid_request, 400, "invalid_request", "Bad request",
     "The request breaks the rules of HTTP: its request line, a header field, an escape in its "
     "address or the framing of its body. Libraries do not send such requests, so check proxies "
     "between the program and the server, and requests written by hand. The detail says which rule "
     "was broken."},
    {Errc::invalid_json, 400, "invalid_json", "The body is not valid JSON",
     "The body could not be read as JSON. It must be UTF-8 without a byte order mark, nested at "
     "most 32 deep, no object may name a key twice, and numbers must fit a double. The detail says "
     "what is wrong and at which byte."},
    {Errc::invalid_cursor, 400, "invalid_cursor", "The cursor belongs to another list",
     "A cursor comes from next_cursor of a page and continues the same list, for the same user, "
     "with the same order and filter. This one was made for another list, or not by this server. "
     "Start again without after."},
    {Errc::invalid_idempotency_key, 400, "invalid_idempotency_key",
     "The idempotency key is not valid",
     "The header field Idempotency-Key holds 1 to 255 visible characters, quoted or not, and may "
     "be given once. Use a random UUID for each request."},
    {Errc::unsupported_media_type, 415, "unsupported_media_type", "The body is not sent as JSON",
     "This operation takes a JSON body. Send it with the header field Content-Type: "
     "application/json, in UTF-8, and without a Content-Encoding."},
    {Errc::not_acceptable, 406, "not_acceptable", "No acceptable representation",
     "The Accept field of the request excludes every available representation. Omit it, or add "
     "application/json to it."},
    {Errc::expectation_failed, 417, "expectation_failed", "The expectation cannot be met",
     "The Expect field has a value other than 100-continue, the only one that the server supports. "
     "Omit the field."},
    {Errc::validation_failed, 422, "validation_failed", "The request is not valid",
     "Some values of the request break a rule: one is missing, has the wrong type, is out of "
     "range, or is unknown (most likely a typing error). The list errors names all of them at "
     "once: pointer for a place in the body, parameter for one in the address or in a header "
     "field."},
    {Errc::body_too_large, 413, "body_too_large", "The body is too large",
     "A request body may have 1 MiB at most: 16 KiB on routes that log in, and as much as the "
     "operator allows (16 MiB by default) on /v1/chat/completions, /v1/responses, /v1/embeddings "
     "and /v1/api/import. Send less at a time."},
    {Errc::uri_too_long, 414, "uri_too_long", "The address is too long",
     "Path and query together may have 8 KiB at most. Values of that size belong in a body."},
    {Errc::headers_too_large, 431, "headers_too_large", "The header fields are too large",
     "The header fields together may have 16 KiB, and there may be 100 of them. Cookies of other "
     "programs on the same host are a common reason."},
    {Errc::request_timeout, 408, "request_timeout", "The request took too long to arrive",
     "The rest of the request did not arrive in time: header fields have 10 seconds; a body must "
     "arrive at 1 KiB per second at least after 10 seconds, and at 64 KiB per second after 30. "
     "Nothing was done. Send the request again."},
    {Errc::unknown_model, 422, "unknown_model", "There is no such model",
     "The server has no model of this name. GET /v1/models lists the available ones; if the "
     "request names no model, the default one answers."},
    {Errc::message_too_long, 422, "message_too_long", "The message is too long for the model",
     "The message alone is longer than the model's context, so omitting older messages would not "
     "help. Send less, or choose a model with a larger context."},
    {Errc::idempotency_mismatch, 422, "idempotency_mismatch",
     "The idempotency key belongs to another request",
     "This key was sent before with another body. Use the same key only to repeat the same "
     "request, and a new key for every other one."},
    {Errc::unsupported_schema, 422, "unsupported_schema", "The JSON Schema is not supported",
     "Answers can follow a subset of JSON Schema; keywords outside of it are refused, never "
     "ignored. The list errors names every place: unsupported_keyword for a keyword that is not "
     "supported there, unsupported_schema for a limit or a schema that no value satisfies. The "
     "guide about structured answers lists the keywords."},
    {Errc::missing_token, 401, "missing_token", "The token is missing",
     "Everything under /v1 needs a token: send it in the header field Authorization, as Bearer and "
     "then the token. A token in the address is ignored."},
    {Errc::invalid_token, 401, "invalid_token", "The token is not valid",
     "The token is malformed, unknown, expired or revoked; the response is the same for all four. "
     "Log in again, or create a new token."},
    {Errc::invalid_credentials, 401, "invalid_credentials", "The credentials are not valid",
     "No user can log in with this name and this password, the refresh token is no longer valid, "
     "or the signature of a call to a hook is wrong. The response does not reveal whether a name "
     "or a hook exists."},
    {Errc::second_factor_required, 401, "second_factor_required", "A second factor is required",
     "Name and password are right, and the user has a second factor: send the request again with "
     "code, a code of the authenticator app or a recovery code."},
    {Errc::insufficient_scope, 403, "insufficient_scope", "The token may not do this",
     "The token is valid, but it lacks the scope that required_scope names. A token can only grant "
     "scopes that it has."},
    {Errc::rate_limited, 429, "rate_limited", "Too many requests",
     "The limit of this class of requests is used up. Retry after the number of seconds in "
     "Retry-After; a refused request is not counted. The RateLimit fields of every response give "
     "the requests remaining."},
    {Errc::budget_used_up, 429, "budget_used_up", "The budget is used up",
     "An operator has limited the output tokens that you may use in a day (UTC), and what is left "
     "of them is not enough for this request. Lower the maximum of output tokens, retry after the "
     "number of seconds in Retry-After, when the next day begins, or ask the operator for more."},
    {Errc::session_busy, 409, "session_busy", "The session is busy",
     "A run is already answering the newest message of this session; active_run_ids names it. Wait "
     "for its end, cancel it, or branch with parent_message_id."},
    {Errc::automation_busy, 409, "automation_busy", "The automation is busy",
     "An earlier run of this automation has not ended, and its overlap is skip. Wait for its end, "
     "cancel it, or set overlap to queue."},
    {Errc::quota_reached, 409, "quota_reached", "The quota is reached",
     "You have as many automations or webhooks as this server allows for a user. Delete one that "
     "you do not need, or ask the operator to raise automations.max_per_user or "
     "webhooks.max_per_user."},
    {Errc::run_cancelled, 409, "run_cancelled", "The answer was cancelled",
     "The run behind this stored completion was cancelled before the answer was complete. The part "
     "that was written is kept: run_id names the run. Sending the same request again with its "
     "Idempotency-Key gives the same answer; without the key it is a new question."},
    {Errc::run_interrupted, 409, "run_interrupted", "The answer was interrupted",
     "The server stopped while an upstream model wrote this stored completion, and the answer "
     "could not be continued. The part that was written is kept: run_id names the run. Ask again "
     "with a new Idempotency-Key."},
    {Errc::conflict, 409, "conflict", "Conflicts with the current state",
     "The request is valid, but conflicts with the current state: a name that is taken, for "
     "example, or the last operator, who cannot be removed. The detail names the conflict."},
    {Errc::precondition_failed, 412, "precondition_failed", "The resource has changed",
     "If-Match named a version that is no longer the newest. Fetch the resource again, apply the "
     "change to its current state, and send its new ETag."},
    {Errc::events_expired, 410, "events_expired", "The events are no longer stored",
     "The event log keeps events for a limited time (events.keep_days, 30 days by default), and "
     "the events after the given number are older. oldest and latest are the first and the last "
     "number of the log. Read the lists again, then continue after latest."},
    {Errc::not_found, 404, "not_found", "Not found",
     "No resource has this address, or it belongs to another user; both get the same response on "
     "purpose. Check the path letter by letter: case matters, and so does a slash at the end."},
    {Errc::method_not_allowed, 405, "method_not_allowed", "Method not allowed",
     "The address exists, but not for this method. The Allow field of the response lists the "
     "methods that it takes."},
    {Errc::not_implemented, 501, "not_implemented", "Not implemented",
     "The request uses a method or a transfer coding that this server does not support. Methods "
     "are written in upper case; the only transfer coding is chunked."},
    {Errc::upstream_error, 502, "upstream_error", "The model's server failed",
     "The server that runs the model could not be reached, answered with an error, or sent an "
     "invalid response. The text so far is kept. Ask again; if it persists, tell the operator of "
     "this server."},
    {Errc::invalid_output, 502, "invalid_output", "The answer does not match its format",
     "The model's server ignored the response_format of the request: the answer is not JSON, or "
     "is not valid for the schema. The text is kept. Ask again, or choose a model that supports "
     "response_format."},
    {Errc::upstream_timeout, 504, "upstream_timeout", "The model took too long",
     "The answer was not complete before the timeout. The text so far is kept. Ask for less at a "
     "time, or ask again when the server is less busy."},
    {Errc::provider_error, 502, "provider_error", "The login provider failed",
     "The OpenID provider that this server uses for logins could not be reached, refused this "
     "server, or sent an invalid response. Log in again; if it persists, tell the operator of this "
     "server, whose log says what is wrong."},
    {Errc::overloaded, 503, "overloaded", "The server is busy",
     "The server is at capacity and refused the request before working on it. Retry after the "
     "number of seconds in Retry-After, and wait longer each time."},
    {Errc::model_unavailable, 503, "model_unavailable", "The model is not available",
     "The model is still loading, is not installed, or its server has failed so often that "
     "requests to it are paused. Retry after the number of seconds in Retry-After."},
    {Errc::storage_unavailable, 503, "storage_unavailable", "Storage is not available",
     "The server cannot store data: its disk is full or has failed, or its PostgreSQL database "
     "does not answer. While the disk is full, reading still works. Retry later with the same "
     "Idempotency-Key; the server's log says what is wrong. If the disk has failed, check after "
     "the repair whether the request was carried out before you repeat it without a key."},
    {Errc::shutting_down, 503, "shutting_down", "The server is shutting down",
     "This server is about to stop and accepts no new requests. Retry after the number of seconds "
     "in Retry-After; behind a load balancer another server will answer."},
    {Errc::internal, 500, "internal", "Internal server error",
     "The server failed; the request may be valid. The server's log has the cause under the "
     "request_id of the response: send that id to the operator of the server."},
});

constexpr bool table_matches_errc()
{
    for (std::size_t i = 0; i < problem_table.size(); ++i)
        if (problem_table[i].errc != static_cast<Errc>(i)) return false;
    return problem_table.back().errc == Errc::internal;  // The last of Errc.
}
static_assert(table_matches_errc(), "every Errc has one row, in the order of Errc");

// Long enough to avoid hammering, short enough to find a recovered server soon.
constexpr std::chrono::seconds default_retry_after{1};

boost::json::array listed(const Faults& faults)
{
    boost::json::array list;
    for (const Fault& fault : faults) {
        const char* place = fault.place == Fault::Location::body ? "pointer" : "parameter";
        list.push_back({{place, fault.where}, {"code", fault.code}, {"detail", fault.detail}});
    }
    return list;
}

}  // namespace

std::span<const Problem> problems() { return problem_table; }

const Problem& problem_of(Errc errc)
{
    // For a client it is a failure that a retry overcomes.
    if (errc == Errc::lost_ownership) errc = Errc::storage_unavailable;
    return problem_table.at(static_cast<std::size_t>(errc));
}

const Problem* find_problem(std::string_view code)
{
    const auto* found = std::ranges::find(problem_table, code, &Problem::code);
    return found == problem_table.end() ? nullptr : found;
}

std::string_view detail_of(const Error& error)
{
    return error.code == Errc::internal ? "The server could not complete the request."
                                        : std::string_view(error.message);
}

void add_retry_after(const Error& error, http::Fields& fields)
{
    if (!error.retry_after && problem_of(error.code).status != 503) return;
    const auto wait = error.retry_after.value_or(default_retry_after);
    if (wait == never_again) return;
    fields.add("Retry-After", std::to_string(wait.count()));
}

std::string problem_type(const Problem& problem, std::string_view public_url)
{
    // The registered problem type for rate limits.
    if (problem.errc == Errc::rate_limited)
        return "https://iana.org/assignments/http-problem-types#quota-exceeded";
    return std::string(public_url).append("/problems/").append(problem.code);
}

http::Response problem_response(const Error& error, std::string_view request_id,
                                std::string_view public_url)
{
    const Problem& problem = problem_of(error.code);

    boost::json::object body{
        {"type", problem_type(problem, public_url)},
        {"title", problem.title},
        {"status", problem.status},
        {"detail", detail_of(error)},
        {"instance", std::string("urn:parley:request:").append(request_id)},
        {"code", problem.code},
        {"request_id", request_id},
    };
    if (!error.faults.empty()) body.emplace("errors", listed(error.faults));
    for (const auto& [name, value] : error.extra) body.emplace(name, value);

    http::Response response;
    response.status = problem.status;
    response.fields.add("Content-Type", "application/problem+json");
    add_retry_after(error, response.fields);
    response.body = boost::json::serialize(body);
    return response;
}

}  // namespace parley::api
