// The help of a command such as `parley user add`: its own options, then those that it shares with
// the other commands of `parley user`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace parley::cli {

class HelpFormatter final : public CLI::Formatter {
public:
    // Printed after the options.
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override
    {
        const std::string verbs = CLI::Formatter::make_subcommands(app, mode);
        const CLI::App* const parent = app->get_parent();
        const bool is_nested = parent && parent->get_parent() && !app->get_name().empty();
        return is_nested ? make_group(shared_group, false, shared_options(*parent)) + verbs : verbs;
    }

    // The group of options that a command hands on to its own commands.
    static constexpr const char* shared_group = "Common options";

private:
    static std::vector<const CLI::Option*> shared_options(const CLI::App& parent)
    {
        return parent.get_options(
            [](const CLI::Option* option) { return option->get_group() == shared_group; });
    }
};

}  // namespace parley::cli
