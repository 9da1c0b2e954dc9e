#include "engine/upstream/verdict.hpp"

#include "http/message.hpp"

#include <charconv>

namespace parley::engine::upstream {
namespace {

using http::client::ClientFailure;
using std::chrono::seconds;

// Larger values are ignored.
constexpr seconds longest_retry_after{3600};

const char* const failed = "The model's server failed.";

Failure upstream_error(std::string message, std::string reason)
{
    return {.error = {Errc::upstream_error, std::move(message)}, .reason = std::move(reason)};
}

std::optional<seconds> retry_after(const http::client::ClientHead& head)
{
    const auto text = head.field("retry-after");
    if (!text) return {};
    std::uint32_t count = 0;
    const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), count);
    if (failure != std::errc() || end != text->data() + text->size()) return {};
    return std::min(seconds(count), longest_retry_after);
}

Failure busy(const http::client::ClientHead& head, std::string reason)
{
    Failure made{.error = {Errc::overloaded, "The model's server is busy."},
                 .reason = std::move(reason),
                 .nothing_done = true};
    made.error.retry_after = retry_after(head);
    return made;
}

Failure of_settings(const std::string& status, const char* hint)
{
    Failure made = upstream_error(failed, "it answered " + status + ": " + hint);
    made.misconfigured = true;
    return made;
}

std::string_view media_type(const http::client::ClientHead& head)
{
    std::string_view type = head.field("content-type").value_or("");
    type = type.substr(0, type.find(';'));
    while (type.ends_with(' ')) type.remove_suffix(1);
    return type;
}

}  // namespace

Failure failure_of(const http::client::ClientError& error)
{
    if (error.kind == ClientFailure::timeout) {
        Failure made{.error = {Errc::upstream_timeout, "The model's server took too long."},
                     .reason = error.message,
                     .nothing_done = error.before_sending,
                     .unhealthy = error.before_sending,
                     .slow = !error.before_sending};
        return made;
    }
    Failure made = upstream_error(
        error.before_sending ? "The model's server cannot be reached." : failed, error.message);
    made.nothing_done = error.before_sending;
    made.unhealthy = true;
    made.misconfigured =
        error.kind == ClientFailure::tls || error.kind == ClientFailure::unsendable;
    return made;
}

Failure unreadable_answer(std::string reason)
{
    return upstream_error("The model's server sent an invalid response.", std::move(reason));
}

bool lacks_route(int status) { return status == 404 || status == 405 || status == 501; }

Failure no_embeddings(int status)
{
    return {.error = validation_failed(
                {{"#/model", "unsupported_parameter", "this model cannot embed texts"}}),
            .reason = "it answered " + std::to_string(status) + " to a request for embeddings"};
}

std::optional<Failure> failure_of(const http::client::ClientHead& head, bool streamed)
{
    const std::string status = std::to_string(head.status);
    switch (head.status) {
        case 200:
        case 400:
        case 413:
        case 422:
            break;
        case 401:
        case 403:
            return of_settings(status, "check the key");
        case 404:
            return of_settings(status, "check base_url and upstream_model");
        case 408:
            return Failure{.error = {Errc::upstream_timeout, "The model's server took too long."},
                           .reason = "it answered 408"};
        case 429:
            return busy(head, "it answered 429");
        case 503:
            if (retry_after(head)) return busy(head, "it answered 503");
            [[fallthrough]];
        default: {
            if (head.status / 100 == 3)
                return of_settings(status, "redirects are not followed; check base_url");
            Failure made = upstream_error(failed, "it answered " + status);
            // A 500 may be caused by the prompt; one user's prompt must not block the model for
            // others.
            made.unhealthy = head.status >= 502 && head.status <= 504;
            return made;
        }
    }
    if (const auto coding = head.field("content-encoding");
        coding && !http::same_name(*coding, "identity"))
        return unreadable_answer("it sent a compressed response, which was not requested");
    const std::string_view type = media_type(head);
    if (streamed && head.status == 200) {
        if (!http::same_name(type, "text/event-stream"))
            return unreadable_answer("its answer is not text/event-stream");
    } else if (!http::same_name(type, "application/json") && !type.ends_with("+json")) {
        return unreadable_answer("its answer is not application/json");
    }
    return {};
}

}  // namespace parley::engine::upstream
