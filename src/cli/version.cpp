#include "app/version.hpp"

#include "cli/output.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {

Run describe_version(CLI::App& command, const Common& common)
{
    command.footer("Examples:\n  parley version\n  parley version --json");
    return [&common] {
        if (common.json)
            print_line({{"name", "parley"}, {"version", app::version}});
        else
            std::cout << "parley " << app::version << '\n';
        return succeeded;
    };
}

}  // namespace parley::cli
