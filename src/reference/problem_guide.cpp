#include "reference/problem_guide.hpp"

#include <boost/json.hpp>

namespace parley::reference {

using namespace api;
namespace {

// In the order of Errc, as the table of problems.
constexpr std::array problem_guides = std::to_array<ProblemGuide>({
    {Errc::invalid_request,
     {"A proxy or a hand-written client sends a malformed request line or header field.",
      "The field Authorization is given twice.",
      "The number in Last-Event-ID or in `after` of a stream is not a whole number."},
     "Compare the request with the detail; `curl -v` shows what is sent.",
     "The request has two Authorization fields."},
    {Errc::invalid_json,
     {"A quote, a comma or a bracket is missing, or a shell has removed the quotes.",
      "The text is not UTF-8, or a key occurs twice in one object.",
      "It has more than 600,000 values, or more than 32 levels."},
     "Let a library write the JSON, and check the byte that the detail names.",
     "not JSON, at byte 14"},
    {Errc::invalid_cursor,
     {"The filter or the order was changed between two pages.",
      "The cursor belongs to another list or to another user.", "The cursor was cut or changed."},
     "Start again without `after`, then send each next_cursor unchanged, with the same parameters.",
     "The cursor does not belong to this list."},
    {Errc::invalid_idempotency_key,
     {"The key is empty, longer than 255 characters or has a space in it.",
      "The field is given twice.", ""},
     "Send one random UUID per question.",
     "Idempotency-Key must have 1 to 255 visible characters."},
    {Errc::unsupported_media_type,
     {"`curl -d` without a Content-Type sends a form.", "The body is compressed.", ""},
     "Send `Content-Type: application/json` and the body as it is.",
     "The body must be application/json."},
    {Errc::not_acceptable,
     {"The Accept field names only representations that do not exist.", "", ""},
     "Omit Accept, or add `application/json`.",
     "This is available as text/html and as application/json."},
    {Errc::expectation_failed,
     {"A client library sends an Expect field of its own.", "", ""},
     "Omit the Expect field, or send `100-continue`.",
     "The expectation cannot be met."},
    {Errc::validation_failed,
     {"A field name is misspelt: unknown names are refused, never ignored.",
      "A value is longer, shorter, larger or smaller than the reference says.",
      "A number is sent as a string, or a string as a number."},
     "Fix each entry of `errors`: it names a place and what is wrong there. Nothing was done.",
     "message: must not be empty"},
    {Errc::body_too_large,
     {"A file was sent as a message.",
      "The whole conversation was sent, although its session has it already.", ""},
     "Send less at a time: 1 MiB is the limit of most bodies, 131,072 bytes that of a message.",
     "The body is larger than 1 MiB."},
    {Errc::uri_too_long,
     {"A value that belongs in a body is in the address.", "", ""},
     "Keep path and query under 8 KiB.",
     "The address is longer than 8 KiB."},
    {Errc::headers_too_large,
     {"Cookies of other programs on the same host.", "A proxy adds many fields.", ""},
     "Send fewer and shorter header fields.",
     "The header fields are larger than 16 KiB."},
    {Errc::request_timeout,
     {"The network is slow or has lost the connection.", "Content-Length is larger than the body.",
      ""},
     "Send the request again.",
     "The request did not arrive in time."},
    {Errc::unknown_model,
     {"The name is misspelt.", "The model was removed from the server's settings.", ""},
     "Use a name from GET /v1/models, or omit it.",
     "There is no model gpt-9."},
    {Errc::message_too_long,
     {"A long document is sent whole.", "The model has a small context.", ""},
     "Send less, or choose a model with a larger context.",
     "The message has more tokens than the model's context."},
    {Errc::idempotency_mismatch,
     {"One key is used for several questions.", "The body was changed before it was sent again.",
      ""},
     "Use a new key for each request.",
     "This key was used for another request."},
    {Errc::unsupported_schema,
     {"The schema uses pattern, oneOf, allOf, not, uniqueItems, multipleOf or bounds of a number.",
      "additionalProperties is true, or a format other than date, time, date-time or uuid.",
      "No value satisfies the schema, or it is too large."},
     "Remove each keyword that `errors` names, and say in the message what you mean: the model "
     "does not read the schema.",
     "response_format/schema/properties/a/pattern: is not supported"},
    {Errc::missing_token,
     {"The field Authorization is missing, or does not begin with Bearer.",
      "The token is in the address, where it is ignored.", "A proxy removes the field."},
     "Send `Authorization: Bearer plp_…`. Create a token with `parley token create`, or log in.",
     "There is no Bearer token in the Authorization field."},
    {Errc::invalid_token,
     {"The token has expired: an access token is valid for an hour.",
      "It was revoked, or its user disabled.", "It was not copied completely."},
     "Refresh the login or log in again; for programs, create a personal token.",
     "The token is not valid."},
    {Errc::invalid_credentials,
     {"The name or the password is misspelt, or the user is disabled.",
      "The refresh token was used before; this ended the login.",
      "A call to a hook was signed with another secret, or more than 5 minutes ago."},
     "Try again with the right password. An operator can set a new one. For a hook, rotate the "
     "secret and give the new one to the sender.",
     "The credentials are not valid."},
    {Errc::second_factor_required,
     {"The user has set up an authenticator app.", "The program does not ask for a code.", ""},
     "Ask the user for a code and send it as `code`. A program that works without the user needs a "
     "personal token.",
     "A code of the authenticator app is required."},
    {Errc::insufficient_scope,
     {"The token was created for another purpose.", "Only operators may do this.", ""},
     "Create a token with the scope that `required_scope` names.",
     "The token lacks the scope chat:write."},
    {Errc::rate_limited,
     {"A loop sends requests without a pause.", "Several programs share one user.",
      "Failed logins also count."},
     "Wait for `Retry-After` seconds, then continue. Watch `RateLimit` in every response to slow "
     "down in time.",
     "The limit of 30 requests in 60 seconds is used up."},
    {Errc::budget_used_up,
     {"The answers of this day have used all output tokens.",
      "Answers that are being written have reserved the rest.",
      "The request allows an answer that is longer than the rest."},
     "Lower `max_output_tokens`, or wait for `Retry-After` seconds. `GET /v1/api/me/usage` shows "
     "where the tokens went.",
     "Your budget of 100000 output tokens per day is used up; the next day begins at 00:00 UTC."},
    {Errc::session_busy,
     {"A second question was sent before the first was answered.", "Two tabs share one session.",
      ""},
     "Wait for the run or cancel it; or branch: send `parent_message_id`.",
     "A run is active in this session."},
    {Errc::automation_busy,
     {"It was run by hand while its schedule was running it.", "Two clients run it.", ""},
     "Wait for the earlier run or cancel it; or set `overlap` to `queue` or `allow`.",
     "An earlier run of this automation has not ended, and its overlap is skip."},
    {Errc::quota_reached,
     {"A program creates automations or webhooks and never deletes them.", "", ""},
     "Delete one, or ask the operator for more.",
     "You have 100 automations, the most that this server allows."},
    {Errc::run_cancelled,
     {"Another client cancelled the run.", "The session was deleted.", ""},
     "Check the run that `run_id` names; ask again if you still need the answer.",
     "The run was cancelled."},
    {Errc::run_interrupted,
     {"The server was restarted while an upstream model was writing.", "", ""},
     "Check the run that `run_id` names, and ask again.",
     "The run was interrupted by a stop of the server."},
    {Errc::conflict,
     {"The name is taken.", "The last operator cannot be removed, disabled or demoted.",
      "An `Idempotency-Key` became free at this moment: send the request again."},
     "Check the current state, and change the request.",
     "A user with this name already exists."},
    {Errc::precondition_failed,
     {"Another client changed it.", "The ETag is from before your own last change.", ""},
     "Fetch it again, apply the change to its current state, and send the new ETag.",
     "The session has changed since you fetched it."},
    {Errc::events_expired,
     {"The program was off for longer than events are stored.",
      "`after=0` names the beginning of a log that is no longer complete.", ""},
     "Read the lists again, then follow the log after `latest`. Omit `after` to begin with the "
     "oldest stored event.",
     "Events up to number 1041 are no longer stored."},
    {Errc::not_found,
     {"The path is misspelt: case matters, and so does a slash at the end.",
      "The resource was deleted.", "It belongs to another user."},
     "Compare the path with the reference, or list the resources.",
     "There is nothing at this path."},
    {Errc::method_not_allowed,
     {"A redirect turned a POST into a GET.", "The path belongs to another operation.", ""},
     "Use a method that the Allow field names.",
     "This path takes GET, HEAD and OPTIONS."},
    {Errc::not_implemented,
     {"A method in lower case.", "A transfer coding other than chunked.", ""},
     "Use the methods of the reference, and no transfer coding.",
     "The server does not support this method."},
    {Errc::upstream_error,
     {"The model's server is down or cannot be reached.", "It refused the request.",
      "The message asks the scripted model to fail."},
     "Retry with the same Idempotency-Key. If the response has `Idempotency-Replayed`, the model "
     "had begun to answer: ask again with a new key.",
     "The model failed."},
    {Errc::invalid_output,
     {"The model's server does not support response_format, and ignores it.",
      "The model's server supports JSON but not schemas.", ""},
     "Ask again, choose another model, or describe the format in the message, too.",
     "The answer is not JSON: it ends too early (byte 12)."},
    {Errc::upstream_timeout,
     {"The answer is very long.", "The model's server is overloaded.", ""},
     "Ask for less, set `max_output_tokens`, or ask again later.",
     "The answer was not complete before the timeout."},
    {Errc::provider_error,
     {"The provider is down or cannot be reached.",
      "`oidc.client_id` or the client secret is wrong.",
      "`oidc.issuer` is not the issuer that the provider names."},
     "Log in again. Operators: run `parley doctor`, and look for the warning in the log.",
     "The login provider cannot be reached."},
    {Errc::overloaded,
     {"The queue of runs is full.", "Too many logins are being checked at once.", ""},
     "Wait for `Retry-After` seconds, and longer each time.",
     "The queue of runs is full."},
    {Errc::model_unavailable,
     {"The model is still loading.", "Its server has failed several times in a row.",
      "The server was built without a local model, and no upstream is set."},
     "Try again after `Retry-After` seconds, or choose another model.",
     "The model is not available."},
    {Errc::storage_unavailable,
     {"The disk is full.", "The disk has failed.", "The PostgreSQL database does not answer."},
     "Retry later. Operators: the log and `parley doctor` say what is wrong.",
     "Storage is not available."},
    {Errc::shutting_down,
     {"The server is being restarted.", "", ""},
     "Retry after `Retry-After` seconds. Runs continue after the restart.",
     "The server is shutting down."},
    {Errc::internal,
     {"A bug in the server.", "", ""},
     "Send the request_id to the operator of the server.",
     "The server could not complete the request."},
});

constexpr bool guides_match_errc()
{
    for (std::size_t i = 0; i < problem_guides.size(); ++i)
        if (problem_guides[i].errc != static_cast<Errc>(i)) return false;
    return problem_guides.back().errc == Errc::internal;  // The last of Errc.
}
static_assert(guides_match_errc(), "every Errc has one row, in the order of Errc");

// An example with the additional members of some problems.
Error occurrence(const Problem& problem)
{
    Error error{problem.errc, std::string(guide_to(problem.errc).detail)};
    switch (problem.errc) {
        case Errc::validation_failed:
            error.faults = {{"#/message", "too_short", "must not be empty"}};
            break;
        case Errc::insufficient_scope:
            error.extra = {{"required_scope", "chat:write"}};
            break;
        case Errc::rate_limited:
            error.extra = {{"violated-policies", {"chat"}}};
            break;
        case Errc::session_busy:
            error.extra = {{"active_run_ids", {"run_0PRkT5Kq3w9ZbXcVnM4aYdTe8u"}}};
            break;
        case Errc::events_expired:
            error.extra = {{"oldest", 1042}, {"latest", 2317}};
            break;
        default:
            break;
    }
    return error;
}

}  // namespace

const ProblemGuide& guide_to(Errc errc)
{
    return problem_guides.at(static_cast<std::size_t>(errc));
}

boost::json::object example_of(const Problem& problem)
{
    const auto response =
        problem_response(occurrence(problem), "req_0PRkT5Kq3w9ZbXcVnM4aYdTe8u", "");
    return boost::json::parse(response.body).as_object();
}

}  // namespace parley::reference
