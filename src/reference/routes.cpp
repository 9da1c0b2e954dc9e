#include "reference/routes.hpp"

#include "api/api.hpp"
#include "api/backups.hpp"
#include "api/event_log.hpp"
#include "api/logins.hpp"
#include "api/status.hpp"
#include "api/web_app.hpp"
#include "reference/reference.hpp"

#include <array>
#include <initializer_list>

namespace parley::reference {

using namespace api;

namespace {

using Rows = std::vector<Route> (*)();

std::vector<Route> together(std::initializer_list<Rows> parts)
{
    std::vector<Route> rows;
    for (const Rows part : parts)
        for (Route& row : part()) rows.push_back(std::move(row));
    return rows;
}

// Routes outside /v1 that have no chapter of their own.
std::vector<Route> server_routes()
{
    return together({web_app_routes, health_routes, reference_routes, docs_routes});
}

std::vector<Route> openai_routes() { return together({completion_routes, embedding_routes}); }
std::vector<Route> entry_routes() { return together({login_routes, oidc_routes}); }
std::vector<Route> account_routes() { return together({me_routes, totp_routes}); }
std::vector<Route> moving_routes() { return together({import_routes, export_routes}); }

constexpr std::array table = std::to_array<RouteGroup>({
    {"Chat",
     "Ask a question and get the answer. A question starts a *run*: it continues even if the "
     "client disconnects, and ends in exactly one of `completed`, `failed`, `cancelled` and "
     "`interrupted`. The answer comes as one object, as a stream of events, or later.",
     query_routes},
    {"Runs",
     "A run answers one question. Get its state, follow its events from the first one or from "
     "where a connection broke, or cancel it.",
     run_routes},
    {"Sessions",
     "A session is a conversation. Messages form a tree: an answer can be regenerated and a "
     "question edited, and nothing is ever overwritten.",
     session_routes},
    {"Search", "Find messages in all of your sessions.", search_routes},
    {"Import and export",
     "Move conversations from other programs and servers, and take yours with you.", moving_routes},
    {"Images", "The images in the messages of your sessions.", image_routes},
    {"Events",
     "Everything that happens to your sessions, runs, tokens and logins, in order and without a "
     "gap, as a list or as a stream.",
     event_routes},
    {"Automations",
     "An automation sends its message to a model: at set times, after events, when its hook is "
     "called, or when you run it. Each time is recorded exactly once, even if the server crashes.",
     automation_routes},
    {"Runs of automations",
     "All times that your automations were due or were run by hand, with their results.",
     automation_run_routes},
    {"Hooks",
     "A hook is a URL with which other programs start an automation: each call, authenticated by a "
     "token or a signature, starts one run.",
     hook_routes},
    {"Test clock", "The clock of automations in test mode. Only your requests move it.",
     test_clock_routes},
    {"Webhooks",
     "The events of your log, sent to a URL of yours: signed, at least once, with retries for 3 "
     "days.",
     webhook_routes},
    {"Deliveries of webhooks",
     "The events that were sent to your webhooks, with the result of each attempt.",
     webhook_delivery_routes},
    {"OpenAI-compatible",
     "For OpenAI's clients: set only their base address and key. Errors have the shape that they "
     "expect, unknown fields are ignored, and nothing is stored unless `store` is true.",
     openai_routes},
    {"Responses",
     "The newer API of OpenAI's clients. A response is a run in a session of yours, unless `store` "
     "is false; its stream can be resumed. Errors have OpenAI's shape, and unknown fields are "
     "ignored.",
     response_routes},
    {"Models", "The models of this server, in the shape that OpenAI's clients expect.",
     model_routes},
    {"Login",
     "A login exchanges a name and a password for an access token, valid for an hour, and a "
     "refresh token for the next pair. If the operator has set up an OpenID provider, users can "
     "log in there instead. Programs should use a personal token.",
     entry_routes},
    {"Account", "Your user, your password, your second factor, and your remaining limits.",
     account_routes},
    {"Tokens",
     "Tokens for programs, each with its own scopes. A token is shown only once, and can only "
     "grant scopes that it has.",
     token_routes},
    {"Users", "For operators: the users of this server.", user_routes},
    {"Usage", "Requests and tokens, by user, model and day.", usage_routes},
    {"Audit", "For operators: the audit log.", audit_routes},
    {"Backups", "For operators: a copy of all data, made while the server runs.", backup_routes},
    {"Status", "For operators: the state of the server.", status_routes},
    {"Problems", "The errors of this server and their meaning.", problem_routes},
    {"Server", "For browsers, load balancers and tools: outside `/v1`, and without a token.",
     server_routes},
});

}  // namespace

std::span<const RouteGroup> route_groups() { return table; }

std::vector<Route> all_routes()
{
    std::vector<Route> rows;
    for (const RouteGroup& group : route_groups()) {
        for (Route& row : group.rows()) {
            row.route_docs.group = group.name;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<Route> administration_routes()
{
    return together({user_routes, token_routes, audit_routes, backup_routes});
}

}  // namespace parley::reference
