// Hooks of automations over HTTP: calls from programs with a token, and from senders that sign.
#include "api/api.hpp"
#include "api/automation_answers.hpp"
#include "api/idempotency.hpp"
#include "api/wire/header_fields.hpp"

namespace parley::api {
namespace {

using automation::Automations;

// The row that a call has started, or the response in its place.
struct HookAnswer {
    http::Response response = {};
};

// Starts the run of a call with a token or a signature, and responds.
Task<Result<HookAnswer>> answer_call(const AutomationServices& services,
                                     const http::RequestHead& head, CommonHeaders& common_headers,
                                     Automations::HookCall call, const auth::Caller& caller,
                                     bool has_token)
{
    const bool is_of_github = !has_token && caller.signed_id.empty();
    auto key = is_of_github ? github_delivery_key(head) : delivery_key(head, caller.signed_id);
    if (!key) co_return key.error();
    call.key = std::move(*key);
    const std::string hook = call.hook;
    const auto started = co_await services.automations.start_by_hook(std::move(call));
    if (!started) co_return started.error();
    tell_if_replayed(started->replayed, common_headers);
    const store::AutomationRun& row = started->rows.front();
    // Only the token can read the run there.
    const std::string location = has_token ? "/v1/api/hooks/" + hook + "/runs/" + row.id
                                           : "/v1/api/automation_runs/" + row.id;
    if (started->is_of_former_hook)  // Its end is not waited for, nor is its run shown.
        co_return HookAnswer{
            accepted(services.automations.view(row, services.errors), location, true)};
    auto response = co_await started_answer(services, head, common_headers, row,
                                            {.location = location, .replayed = started->replayed});
    if (!response) co_return response.error();
    co_return HookAnswer{std::move(*response)};
}

Task<Result<HookAnswer>> call_hook(const AutomationServices& services, HookTokenHolder caller,
                                   Origin origin, const http::RequestHead& head,
                                   CommonHeaders& common_headers, Path<HookPath> /*path*/,
                                   FreeBody body)
{
    co_return co_await answer_call(services, head, common_headers,
                                   {.hook = caller->hook,
                                    .payload = std::move(body.fields),
                                    .cause = {.request = std::move(origin.request_id)}},
                                   *caller, true);
}

Task<Result<HookAnswer>> call_signed_hook(const AutomationServices& services, HookSigner caller,
                                          Origin origin, const http::RequestHead& head,
                                          CommonHeaders& common_headers, Path<HookPath> /*path*/,
                                          FreeBody body)
{
    co_return co_await answer_call(services, head, common_headers,
                                   {.hook = caller->hook,
                                    .payload = std::move(body.fields),
                                    .cause = {.request = std::move(origin.request_id)}},
                                   *caller, false);
}

Task<Result<AutomationRunView>> get_hook_run(const AutomationServices& services,
                                             HookTokenHolder caller, Path<HookRunPath> path)
{
    const auto row = co_await services.automations.run_of_hook(caller->hook, std::move(path.run));
    if (!row) co_return row.error();
    co_return co_await whole_view(services, *row, true);
}

constexpr std::string_view about_calls =
    R"(Starts the automation of the hook; variables of its message point into the body, an object whose
fields are free. Needs the token of this hook, which gives no other access.

A call has a key: `Idempotency-Key`, `webhook-id`, `X-GitHub-Delivery`, or the value that the
`dedupe_pointer` of the trigger finds in the body, in this order. A call with a known key returns the first
run, whatever its body is, with status 200 and `Idempotency-Replayed`; without its values and its answer
if an earlier hook of the automation has started it. A call without a key always starts a new run.

While the automation is paused, the run is `skipped`. With `Prefer: wait=N` (up to 60 seconds) the
response comes when the run has ended.)";

constexpr std::string_view about_signed_calls =
    R"(The same for senders that sign the body instead of sending a token: with `webhook-signature`
(Standard Webhooks 1.0, at most 5 minutes old) if the trigger has `"verify": "standard_webhooks"`, with
`X-Hub-Signature-256` if it has `"verify": "github"`.

The key of a call with `webhook-signature` is its `webhook-id`, which is signed. The key of a call with
`X-Hub-Signature-256`, which covers the body only, is the value that the `dedupe_pointer` finds,
or else `X-GitHub-Delivery`. `Idempotency-Key` does not count for signed calls.

A wrong signature and an unknown hook get the same response. The body is `application/json` here, too.)";

}  // namespace

namespace detail {

template <>
struct ResponseTraits<HookAnswer> {
    static constexpr int status = 202;
    static constexpr std::array fields{"Location"};
    static boost::json::object schema()
    {
        return fields::schema<AutomationRunView>(fields::Direction::response);
    }
    static http::Response response(HookAnswer answer) { return std::move(answer.response); }
};

}  // namespace detail

std::vector<Route> hook_routes()
{
    const CountedAs counted{.of = limits::Class::hook};
    const auto known = documented_row(200, "The run has ended, or the key was used before.");
    return {
        route<call_hook>("POST", "/v1/api/hooks/{hook}", "callHook", "Call a hook with its token",
                         counted, needs_room, description(about_calls), takes_fields<HookFields>,
                         sends_fields("Idempotency-Replayed", "Preference-Applied"),
                         responds_with(known),
                         may_fail(Errc::invalid_idempotency_key, Errc::not_found)),
        route<call_signed_hook>(
            "POST", "/hooks/{hook}", "callSignedHook", "Call a hook with a signature", counted,
            needs_room, description(about_signed_calls), takes_fields<HookFields>,
            sends_fields("Idempotency-Replayed", "Preference-Applied"), responds_with(known),
            may_fail(Errc::invalid_idempotency_key, Errc::not_found)),
        route<get_hook_run>("GET", "/v1/api/hooks/{hook}/runs/{run}", "getHookRun",
                            "Get a run that the hook has started"),
    };
}

}  // namespace parley::api
