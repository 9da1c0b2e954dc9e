#include "cli/running_server.hpp"

#include "cli/interruption.hpp"

namespace parley::cli {

Result<std::unique_ptr<ApiTransport>> RunningServer::find(const app::DataPaths& paths,
                                                          const app::LockHolder& holder)
{
    const auto address = app::read_private(paths.server_address());
    auto token = app::read_private(paths.cli_token());
    if (!address || !token)
        return Error{Errc::conflict, "Another Parley (process " + std::to_string(holder.pid) +
                                         ") uses " + paths.directory.string() +
                                         " and does not listen yet; try again in a moment."};
    const std::size_t space = address->find(' ');
    http::client::ClientOptions options;
    if (space != address->npos) options.only_certificate = address->substr(space + 1);
    return std::unique_ptr<ApiTransport>(new RunningServer(
        std::move(options), address->substr(0, space), Secret::taken_from(*token)));
}

std::unique_ptr<ApiTransport> RunningServer::at(const ServerPlace& place, Secret token)
{
    return std::unique_ptr<ApiTransport>(
        new RunningServer({.only_certificate = place.certificate}, place.url, std::move(token)));
}

Result<Answered> RunningServer::send(const std::string& method, const std::string& target,
                                     const std::string& json_body)
{
    const auto url = http::client::Url::parse(url_ + target);
    if (!url) return url.error();
    http::client::ClientRequest request{.method = method, .url = *url};
    request.fields.push_back({"Authorization", "Bearer " + std::string(token_.reveal())});
    if (!json_body.empty()) request.fields.push_back({"Content-Type", "application/json"});
    request.body = json_body;
    // A long conversation waits for the index of words.
    if (target == "/v1/api/import") request.deadlines.first_byte = request.deadlines.total;
    // After a second Ctrl-C, do not wait long for a server that does not respond.
    if (Interruption::was_repeated()) request.deadlines.total = std::chrono::seconds(3);
    auto response = client_.send(std::move(request));
    if (!response)
        return Error{Errc::internal, "Cannot reach the server: " + response.error().message};
    return Answered{response->status, std::move(response->body)};
}

}  // namespace parley::cli
