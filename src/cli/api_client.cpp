#include "cli/api_client.hpp"

#include "cli/in_process.hpp"
#include "cli/remote_server.hpp"
#include "cli/running_server.hpp"
#include "cli/settings_options.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <iostream>

namespace parley::cli {
namespace {

// Only those that commands tell apart.
Errc code_of(int status)
{
    if (status == 404) return Errc::not_found;
    return status == 429 ? Errc::rate_limited : Errc::internal;
}

Faults faults_in(const boost::json::object& problem)
{
    Faults faults;
    const auto* errors = problem.if_contains("errors");
    if (!errors || !errors->is_array()) return faults;
    for (const auto& each : errors->as_array()) {
        const auto* code = each.is_object() ? each.as_object().if_contains("code") : nullptr;
        if (code && code->is_string())
            faults.push_back(
                {.where = {}, .code = boost::json::value_to<std::string>(*code), .detail = {}});
    }
    return faults;
}

// The message of a problem+json with all its faults, or a description of another response.
Error problem_in(const Answered& answer)
{
    boost::system::error_code malformed;
    const auto body = boost::json::parse(answer.body, malformed);
    const auto* problem = malformed ? nullptr : body.if_object();
    const auto* detail = problem ? problem->if_contains("detail") : nullptr;
    if (!detail || !detail->is_string())
        return {Errc::internal,
                "The server answered with status " + std::to_string(answer.status) + "."};
    return {.code = code_of(answer.status),
            .message = boost::json::value_to<std::string>(*detail),
            .faults = faults_in(*problem)};
}

}  // namespace

Result<boost::json::object> ApiClient::ask(const std::string& method, const std::string& target,
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
        return Error{Errc::internal, "The running server sent an unreadable response."};
    return std::move(read.as_object());
}

Result<ApiClient> connect(const Common& common, IfMissing missing)
{
    if (!common.url.empty()) {
        auto remote = remote_server(common);
        if (!remote) return remote.error();
        return ApiClient{{}, RunningServer::at(remote->place, std::move(remote->token))};
    }
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const app::DataPaths paths{settings->data};
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    if (*holder) {
        auto server = RunningServer::find(paths, **holder);
        if (!server) return server.error();
        return ApiClient{paths, std::move(*server)};
    }
    const std::string directory = paths.directory.string();
    if (settings->store_kind == "memory")
        return Error{Errc::not_found,
                     "The store is in memory (store.kind), so data exists only while a server "
                     "runs, and no server runs on " +
                         directory + "."};
    const bool is_new =
        settings->postgres.url.empty() && !std::filesystem::exists(paths.database());
    if (is_new && missing == IfMissing::fail)
        return Error{Errc::not_found, "No Parley data found in " + directory +
                                          "; give the server's directory with --data."};
    auto interface = InProcess::open(*settings);
    if (!interface) return interface.error();
    if (is_new) std::cerr << "Created a new data directory: " << directory << '\n';
    return ApiClient{paths, std::move(*interface)};
}

}  // namespace parley::cli
