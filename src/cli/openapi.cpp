#include "api/openapi.hpp"

#include "api/routes.hpp"
#include "app/version.hpp"
#include "cli/output.hpp"

#include <CLI/CLI.hpp>

namespace parley::cli {

Run describe_openapi(CLI::App& command, const Common& /*common*/)
{
    command.footer(
        "The document is one line of JSON; `parley openapi | jq` is easier to read.\n"
        "Examples:\n"
        "  parley openapi > openapi.json");
    return [] {
        print_line(api::openapi(api::all_routes(), {.version = app::version}));
        return succeeded;
    };
}

}  // namespace parley::cli
