#include "cli/app_names.hpp"
#include "cli/command.hpp"
#include "cli/man_pages.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace parley::cli {
namespace {

struct ManOptions {
    std::string page = "parley";
    std::string date;
};

}  // namespace

Run describe_man(CLI::App& command, const Common& /*common*/)
{
    auto options = std::make_shared<ManOptions>();
    command.add_option("page", options->page, "parley(1), or parley.toml(5) with all settings")
        ->type_name("PAGE")
        ->check(CLI::IsMember({"parley", "parley.toml"}));
    command.add_option("--date", options->date, "Date of the page, such as 2026-11-17")
        ->type_name("DATE");
    command.footer(
        "Examples:\n"
        "  parley man | man -l -\n"
        "  parley man parley.toml | man -l -");
    return [options, &command] {
        std::cout << (options->page == "parley" ? program_page(root_of(command), options->date)
                                                : settings_page(options->date));
        return succeeded;
    };
}

}  // namespace parley::cli
