#include "api/routes.hpp"

#include "api/audit.hpp"
#include "api/backups.hpp"
#include "api/chat_query.hpp"
#include "api/chat_runs.hpp"
#include "api/chat_sessions.hpp"
#include "api/completions.hpp"
#include "api/docs_pages.hpp"
#include "api/health.hpp"
#include "api/logins.hpp"
#include "api/me.hpp"
#include "api/models.hpp"
#include "api/problem_pages.hpp"
#include "api/reference.hpp"
#include "api/status.hpp"
#include "api/tokens.hpp"
#include "api/users.hpp"
#include "api/web_app.hpp"

#include <array>
#include <initializer_list>

namespace parley::api {

namespace {

using Rows = std::vector<Route> (*)();

std::vector<Route> together(std::initializer_list<Rows> parts)
{
    std::vector<Route> rows;
    for (const Rows part : parts)
        for (Route& row : part()) rows.push_back(std::move(row));
    return rows;
}

// What is outside /v1 and no chapter of its own.
std::vector<Route> server_routes()
{
    return together({web_app_routes, health_routes, reference_routes, docs_routes});
}

constexpr std::array table = std::to_array<Chapter>({
    {"Chat",
     "Ask, and follow the answer. A question makes a *run*: it goes on by itself, whether or not "
     "the client stays, and ends in exactly one of `completed`, `failed`, `cancelled` and "
     "`interrupted`. The answer comes as one object, as a stream of events, or later.",
     query_routes},
    {"Runs",
     "A run is a question being answered: look at it, follow its events from the first or from "
     "where a connection broke, stop it.",
     run_routes},
    {"Sessions",
     "A session is a conversation. Messages form a tree: an answer can be asked for again and a "
     "question put differently, and nothing is ever overwritten.",
     session_routes},
    {"OpenAI-compatible",
     "For OpenAI's clients: set their base address and key, nothing else. Errors have the shape "
     "that "
     "they expect, fields that nobody knows are ignored, and nothing is stored unless `store` says "
     "so.",
     completion_routes},
    {"Models", "What answers. The list has the shape that OpenAI's clients expect.", model_routes},
    {"Login",
     "A login turns a name and a password into an access token, which lives for an hour, and a "
     "refresh token, good for the next pair. Programs are better served by a personal token.",
     login_routes},
    {"Account", "Who you are, your password, and what is left of your limits.", me_routes},
    {"Tokens",
     "Tokens for programs, each with scopes of its own. A token hands out only scopes that it has "
     "itself, and is shown once.",
     token_routes},
    {"Users", "For operators: who may use this server.", user_routes},
    {"Audit", "For operators: what was done, by whom and from where.", audit_routes},
    {"Backups", "For operators: a copy of all data, made while the server goes on.", backup_routes},
    {"Status", "For operators: how the server is.", status_routes},
    {"Problems", "What the errors of this server mean.", problem_routes},
    {"Server", "For browsers, load balancers and tools: outside `/v1`, and without a token.",
     server_routes},
});

}  // namespace

std::span<const Chapter> chapters() { return table; }

std::vector<Route> all_routes()
{
    std::vector<Route> rows;
    for (const Chapter& chapter : chapters()) {
        for (Route& row : chapter.rows()) {
            row.story.chapter = chapter.name;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<Route> administration_routes()
{
    return together({user_routes, token_routes, audit_routes, backup_routes});
}

}  // namespace parley::api
