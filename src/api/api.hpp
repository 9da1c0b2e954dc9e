// HTTP endpoints: the machinery of requests (routes, pipeline, problems) and the resources of the
// API. Each resource is a file with functions whose parameters say what they need, and the rows of
// the route table that call them.
#pragma once

#include "api/route.hpp"

#include <vector>

namespace parley::api {

// Chat.
std::vector<Route> query_routes();
std::vector<Route> run_routes();
std::vector<Route> session_routes();
std::vector<Route> search_routes();
std::vector<Route> import_routes();
std::vector<Route> export_routes();
std::vector<Route> image_routes();
std::vector<Route> event_routes();
std::vector<Route> automation_routes();
std::vector<Route> automation_run_routes();
std::vector<Route> hook_routes();
std::vector<Route> test_clock_routes();
std::vector<Route> webhook_routes();
std::vector<Route> webhook_delivery_routes();
std::vector<Route> completion_routes();
std::vector<Route> response_routes();
std::vector<Route> embedding_routes();
std::vector<Route> model_routes();

// Accounts. Logins ask for auth::Logins, auth::Accounts, auth::SetupCode and store::Store; the
// others for store::Store, Cursors, const Clock and a part of auth.
std::vector<Route> login_routes();
std::vector<Route> oidc_routes();  // Asks for oidc::Provider and auth::Identities.
std::vector<Route> me_routes();
std::vector<Route> totp_routes();
std::vector<Route> token_routes();

// For operators. All but the status need the store, and nothing that exists only in a running
// server.
std::vector<Route> user_routes();
std::vector<Route> usage_routes();
std::vector<Route> audit_routes();
std::vector<Route> backup_routes();
std::vector<Route> status_routes();

// Outside /v1.
std::vector<Route> web_app_routes();  // Asks for WebApp, store::Store and engine::Models.
std::vector<Route> health_routes();   // Asks for Readiness.

// The table of the separate metrics listener. Asks for metrics::Metrics.
std::vector<Route> metrics_routes();

}  // namespace parley::api
