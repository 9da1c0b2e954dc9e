#include "cli/finding.hpp"
#include "http/client/blocking.hpp"
#include "models/upstream_options.hpp"

namespace parley::cli {
namespace {

using std::chrono::seconds;

// Per server; a longer wait is reported as a finding.
constexpr seconds longest_try{5};

// The list of models is beside the chat completions, and is free to read.
Result<http::client::Url> models_of(const http::client::Url& completions)
{
    constexpr std::string_view end = "/chat/completions";
    std::string target = completions.target();
    if (target.ends_with(end)) target.resize(target.size() - end.size());
    return completions.with_target(target + "/models");
}

Finding check_server(const std::string& model, const engine::upstream::UpstreamServer& server,
                     bool has_others)
{
    const Verdict broken = has_others ? Verdict::warn : Verdict::fail;
    const std::string where = model + ", upstream " + server.url.host_and_port();
    const auto url = models_of(server.url);
    if (!url)
        return {.check = "model", .verdict = broken, .finding = where + ": " + url.error().message};
    http::client::ClientRequest request{.url = *url};
    if (!server.key.empty())
        request.fields.push_back({"Authorization", "Bearer " + std::string(server.key.reveal())});
    request.deadlines = {.connect = longest_try,
                         .first_byte = longest_try,
                         .silence = longest_try,
                         .total = longest_try};
    http::client::BlockingClient client;
    const auto response = client.send(std::move(request));
    if (!response)
        return {.check = "model",
                .verdict = broken,
                .finding = where + " cannot be reached: " + response.error().message,
                .advice = "Check models." + model + ".base_url and the network."};
    const std::string status = std::to_string(response->status);
    if (response->status == 401 || response->status == 403)
        return {.check = "model",
                .verdict = broken,
                .finding = where + " rejects the API key (status " + status + ")",
                .advice = "Check models." + model + ".api_key_file or .api_key_variable."};
    if (response->status >= 500)
        return {.check = "model",
                .verdict = Verdict::warn,
                .finding = where + " answers with status " + status,
                .advice = "Check that server."};
    return {.check = "model", .finding = where + " answers"};
}

}  // namespace

std::vector<Finding> check_upstreams(const app::Settings& settings)
{
    std::vector<Finding> findings;
    for (const auto& [name, model] : settings.models.named) {
        if (model.engine != "upstream") continue;
        const auto options = models::upstream_options(name, model, settings.runs.timeout);
        if (!options) {
            findings.push_back(
                {.check = "model", .verdict = Verdict::fail, .finding = options.error().message});
            continue;
        }
        for (const auto& server : options->servers)
            findings.push_back(check_server(name, server, options->servers.size() > 1));
    }
    return findings;
}

}  // namespace parley::cli
