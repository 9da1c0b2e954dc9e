#include "api/routes.hpp"

#include "api/health.hpp"
#include "api/problem_pages.hpp"

#include <iterator>

namespace parley::api {

std::vector<Route> all_routes()
{
    std::vector<Route> table;
    for (auto rows : {
             health_routes,
             problem_routes,
         })
        for (Route& row : rows()) table.push_back(std::move(row));
    return table;
}

}  // namespace parley::api
