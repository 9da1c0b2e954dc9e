#include "cli/reach.hpp"

#include "app/environment.hpp"
#include "cli/in_process.hpp"
#include "cli/running_server.hpp"

#include <boost/json.hpp>

namespace parley::cli {
namespace {

// The words of a problem+json, all that is wrong; or of a server that answers with something else.
Error problem_in(const Answered& answer)
{
    boost::system::error_code malformed;
    const auto body = boost::json::parse(answer.body, malformed);
    const auto* problem = malformed ? nullptr : body.if_object();
    const auto* detail = problem ? problem->if_contains("detail") : nullptr;
    if (!detail || !detail->is_string())
        return {Errc::internal,
                "The server answered with status " + std::to_string(answer.status) + "."};
    return {Errc::internal, boost::json::value_to<std::string>(*detail)};
}

}  // namespace

Result<boost::json::object> Reached::ask(const std::string& method, const std::string& target,
                                         const boost::json::object& body)
{
    const auto answer =
        interface->send(method, target, body.empty() ? "" : boost::json::serialize(body));
    if (!answer) return answer.error();
    if (answer->status >= 400) return problem_in(*answer);
    if (answer->body.empty()) return boost::json::object();
    boost::system::error_code malformed;
    auto read = boost::json::parse(answer->body, malformed);
    if (malformed || !read.is_object())
        return Error{Errc::internal, "The running server gave an answer that cannot be read."};
    return std::move(read.as_object());
}

Result<Reached> reach(const Common& common)
{
    const auto directory = app::find_data_directory(common.data, app::environment_of_process());
    if (!directory) return directory.error();
    const app::DataPaths paths{*directory};
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    if (!*holder && !std::filesystem::exists(paths.database()))
        return Error{Errc::not_found, "There is no data of Parley in " + directory->string() +
                                          "; give the server's directory with --data."};
    auto interface = *holder ? RunningServer::find(paths, **holder) : InProcess::open(paths);
    if (!interface) return interface.error();
    return Reached{paths, std::move(*interface)};
}

}  // namespace parley::cli
