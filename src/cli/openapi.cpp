#include "reference/openapi.hpp"

#include "app/version.hpp"
#include "cli/output.hpp"
#include "reference/routes.hpp"
#include "reference/yaml.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace parley::cli {

Run describe_openapi(CLI::App& command, const Common& /*common*/)
{
    auto as_yaml = std::make_shared<bool>(false);
    command.add_flag("--yaml", *as_yaml, "Print YAML instead of JSON.");
    command.footer(
        "The JSON is one line; `parley openapi | jq` formats it. A running server serves its own,\n"
        "with its address and contact, at /openapi.json and /openapi.yaml.\n"
        "Examples:\n"
        "  parley openapi > openapi.json\n"
        "  parley openapi --yaml | less");
    return [as_yaml] {
        const auto document =
            reference::openapi(reference::all_routes(), {.version = app::version});
        if (*as_yaml)
            std::cout << reference::yaml(document);
        else
            print_line(document);
        return succeeded;
    };
}

}  // namespace parley::cli
