#include "api/run_problems.hpp"

#include "api/problem.hpp"

namespace parley::api {

RunError RunProblems::stored(const Error& error) const
{
    return {.code = std::string(problem_of(error.code).code),
            .detail = std::string(detail_of(error)),
            .retry_after = error.retry_after};
}

boost::json::object RunProblems::shown(const RunError& error) const
{
    const Problem* known = find_problem(error.code);
    const Problem& problem = known ? *known : problem_of(Errc::internal);
    boost::json::object body{{"type", problem_type(problem, public_url_)},
                             {"title", problem.title},
                             {"status", problem.status},
                             {"detail", error.detail},
                             {"code", problem.code}};
    if (error.retry_after) body.emplace("retry_after", error.retry_after->count());
    return body;
}

}  // namespace parley::api
