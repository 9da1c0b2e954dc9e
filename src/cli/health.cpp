#include "cli/output.hpp"
#include "cli/running_server.hpp"
#include "cli/settings_options.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

// Never in this process, as other commands do it if no server runs.
Result<> ask_readiness(const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const app::DataPaths paths{settings->data};
    const auto holder = app::holder_of(paths);
    if (!holder) return holder.error();
    if (!*holder)
        return Error{Errc::not_found, "No server runs on " + paths.directory.string() + "."};
    auto server = RunningServer::find(paths, **holder);
    if (!server) return server.error();
    const auto ready = ApiClient{paths, std::move(*server)}.ask("GET", "/readyz");
    return ready ? Result<>() : ready.error();
}

}  // namespace

Run describe_health(CLI::App& command, const Common& common)
{
    command.footer(
        "The exit code is 0 if the server answers requests, and 1 if it is not running, is\n"
        "loading its models, is stopping, or cannot write to its disk.\n"
        "Examples:\n"
        "  parley health\n"
        "  parley health --data /var/lib/parley");
    return [&common] {
        if (const auto ready = ask_readiness(common); !ready)
            return complain(ready.error().message, failed, common);
        if (common.json)
            print_line({{"status", "ready"}});
        else
            std::cout << "ready\n";
        return succeeded;
    };
}

}  // namespace parley::cli
