// HTTP in, rules out: the machinery of requests (routes, pipeline, problems), and the resources
// that clients know. Each resource is a file with functions whose parameters say what they need,
// and the rows of the route table that call them.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Chat.
std::vector<Route> query_routes();
std::vector<Route> run_routes();
std::vector<Route> session_routes();
std::vector<Route> event_routes();
std::vector<Route> completion_routes();
std::vector<Route> model_routes();

// Accounts.
std::vector<Route>
login_routes();  // Asks for auth::Logins, auth::Accounts, auth::SetupCode and store::Store.
std::vector<Route> me_routes();  // Asks for store::Store, auth::Accounts and limits::Limiter.
std::vector<Route>
token_routes();  // Asks for store::Store, auth::PersonalTokens, Cursors and const Clock.

// For operators. These ask for the store and nothing that only a running server has.
std::vector<Route>
user_routes();  // Asks for store::Store, auth::Accounts, Cursors and const RemovedUsers.
std::vector<Route> audit_routes();   // Asks for store::Store, Cursors and const Clock.
std::vector<Route> backup_routes();  // Asks for store::Store, BackupFolder and const Clock.
std::vector<Route>
status_routes();  // Asks for ServerFacts, engine::Models, chat::Runs and store::Store.

// Outside /v1.
std::vector<Route> web_app_routes();  // Asks for WebApp, store::Store and engine::Models.
std::vector<Route> health_routes();   // Asks for Readiness.

// The table of the listener that metrics have to themselves. Asks for metrics::Metrics.
std::vector<Route> metrics_routes();

}  // namespace parley::api
