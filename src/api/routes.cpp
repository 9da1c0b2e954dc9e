#include "api/routes.hpp"

#include "api/audit.hpp"
#include "api/backups.hpp"
#include "api/chat_query.hpp"
#include "api/chat_runs.hpp"
#include "api/chat_sessions.hpp"
#include "api/completions.hpp"
#include "api/front_page.hpp"
#include "api/health.hpp"
#include "api/logins.hpp"
#include "api/me.hpp"
#include "api/models.hpp"
#include "api/problem_pages.hpp"
#include "api/tokens.hpp"
#include "api/users.hpp"

#include <iterator>

namespace parley::api {

std::vector<Route> all_routes()
{
    std::vector<Route> table;
    for (auto rows : {
             front_routes,
             health_routes,
             problem_routes,
             login_routes,
             me_routes,
             query_routes,
             session_routes,
             run_routes,
             completion_routes,
             model_routes,
             token_routes,
             user_routes,
             audit_routes,
             backup_routes,
         })
        for (Route& row : rows()) table.push_back(std::move(row));
    return table;
}

}  // namespace parley::api
