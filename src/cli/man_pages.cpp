#include "cli/man_pages.hpp"

#include "app/settings_sources.hpp"
#include "app/settings_text.hpp"
#include "app/system_server.hpp"
#include "cli/app_names.hpp"
#include "cli/help_formatter.hpp"
#include "cli/roff.hpp"
#include "cli/settings_help.hpp"

#include <map>
#include <vector>

namespace parley::cli {
namespace {

constexpr std::string_view examples_heading = "Examples:\n";

bool is_shared(const CLI::Option* option)
{
    return option->get_group() == HelpFormatter::shared_group;
}

bool is_help(const CLI::Option* option) { return option->check_lname("help"); }

// "-c, --continue", "--data DIR", "NAME"
std::string term_of(const CLI::Option& option)
{
    if (option.get_positional()) return option.get_name(true);
    std::string term;
    for (const auto& name : option.get_snames()) term += (term.empty() ? "-" : ", -") + name;
    for (const auto& name : option.get_lnames()) term += (term.empty() ? "--" : ", --") + name;
    const std::string value = option.get_type_name();
    const bool takes_value = option.get_items_expected_max() > 0 && !value.empty();
    return takes_value ? term + " " + value : term;
}

// "parley user add [options] NAME"
std::string usage_of(const CLI::App& command)
{
    std::string usage = full_name(command) + " [options]";
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional())
            usage += option->get_required() ? " " + option->get_name(true)
                                            : " [" + option->get_name(true) + "]";
    return usage;
}

// CLI11 has groups of options as commands without a name.
std::vector<const CLI::App*> commands_of(const CLI::App& app, bool groups = false)
{
    return app.get_subcommands(
        [groups](const CLI::App* each) { return each->get_name().empty() == groups; });
}

std::string verb_of(const CLI::App& command)
{
    if (commands_of(command).empty()) return "";
    return command.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
}

// A footer is a few sentences, examples, or both.
void add_footer(ManualPage& page, std::string_view footer)
{
    const std::size_t heading = std::min(footer.find(examples_heading), footer.size());
    if (heading > 0) page.paragraph(footer.substr(0, heading));
    if (heading == footer.size()) return;
    page.paragraph("Examples:");
    std::string lines;
    for (footer.remove_prefix(heading + examples_heading.size()); !footer.empty();) {
        const std::size_t end = std::min(footer.find('\n'), footer.size());
        const std::string_view line = footer.substr(0, end);
        if (!line.starts_with("  ")) break;
        lines.append(line.substr(2)).push_back('\n');
        footer.remove_prefix(std::min(end + 1, footer.size()));
    }
    page.literal(lines);
    if (!footer.empty()) page.paragraph(footer);
}

void add_shared_options(ManualPage& page, const CLI::App& command)
{
    std::string names;
    for (const CLI::Option* option : command.get_options())
        if (is_shared(option)) names += (names.empty() ? "`" : ", `") + option->get_name() + "`";
    if (!names.empty()) page.paragraph("Common options: " + names + ".");
}

void add_options(ManualPage& page, const CLI::App& command)
{
    for (const CLI::Option* option : command.get_options())
        if (!is_shared(option) && !is_help(option))
            page.item(term_of(*option), option->get_description());
}

void add_command(ManualPage& page, const CLI::App& command)
{
    page.subsection(full_name(command));
    page.paragraph(command.get_description());
    const auto verbs = commands_of(command);
    if (verbs.empty() || command.get_require_subcommand_min() == 0) page.literal(usage_of(command));
    add_options(page, command);
    for (const CLI::App* group : commands_of(command, true)) add_options(page, *group);
    add_shared_options(page, command);
    add_footer(page, command.get_footer());
    for (const CLI::App* verb : verbs) add_command(page, *verb);
}

void add_common_options(ManualPage& page, const CLI::App& program)
{
    std::map<std::string, const CLI::Option*> by_name;
    for (const CLI::App* command : commands_of(program))
        for (const CLI::Option* option : command->get_options(is_shared))
            by_name.emplace(option->get_name(), option);
    page.section("COMMON OPTIONS");
    page.item("-h, --help", "Print the help of a command and exit.");
    add_options(page, program);
    for (const auto& [name, option] : by_name)
        page.item(term_of(*option), option->get_description());
}

void add_environment(ManualPage& page)
{
    page.section("ENVIRONMENT");
    page.item("PARLEY_DATA", "The data directory, if `--data` is not given.");
    page.item("PARLEY_TOKEN", "The token for `--url`, if `--token-file` is not given.");
    page.item(
        "PARLEY_SERVER_LISTEN, PARLEY_LOG_LEVEL, ...",
        "Settings: the key in capital letters, with underscores instead of dots. They override "
        "the settings file, and `--set` overrides them.");
    page.item(
        "XDG_DATA_HOME, HOME",
        "The data directory is `parley` in the first, or `.local/share/parley` in the second, "
        "if nothing else names it.");
}

void add_files(ManualPage& page)
{
    const app::SystemServer system;
    page.section("FILES");
    page.item(
        system.config.string(),
        "Settings of the server that the system runs; see `parley.toml`(5). Commands of the user "
        "that owns its data directory read it, too.");
    page.item(system.data.string(),
              "Data directory of the server that the system runs. The user that owns it need not "
              "give `--data`.");
    page.item("~/.local/share/parley", "Data directory of a server that a user runs.");
    page.item("~/.local/state/parley/chat-history", "Messages typed into `parley chat`.");
}

void add_exit_status(ManualPage& page)
{
    page.section("EXIT STATUS");
    page.item("0", "The command succeeded.");
    page.item("1", "It failed. The message is on standard error.");
    page.item("2", "The arguments or the settings are wrong.");
    page.item("130", "It was interrupted (Ctrl-C).");
}

void add_setting(ManualPage& page, const app::Setting& setting, const std::string& variable)
{
    page.item(setting.key, setting.meaning);
    page.more_of_item("Value: " + setting.form +
                      ". Default: " + app::to_toml(setting.get(app::Settings())) + "." +
                      (variable.empty() ? "" : " Environment: `" + variable + "`."));
}

// A subsection for each table.
void add_settings(ManualPage& page)
{
    std::string table;
    const auto begin_table = [&](const app::Setting& setting) {
        if (const auto now = setting.key.substr(0, setting.key.rfind('.')); now != table)
            page.subsection("[" + (table = now) + "]");
    };
    for (const auto& setting : app::all_settings()) {
        begin_table(setting);
        add_setting(page, setting, app::variable_of(setting.key));
    }
    for (const auto& setting : app::settings_of_model("NAME")) {
        begin_table(setting);
        add_setting(page, setting, {});
    }
}

}  // namespace

std::string program_page(const CLI::App& program, std::string_view date)
{
    ManualPage page("PARLEY", 1, "User Commands", date);
    page.name("parley", "AI chat and automation server");
    page.section("SYNOPSIS");
    std::string commands;
    for (const CLI::App* command : commands_of(program))
        commands += full_name(*command) + verb_of(*command) + " [options]\n";
    page.literal(commands);
    page.section("DESCRIPTION");
    page.paragraph(
        "Parley is a self-hosted AI chat and automation service in one program: people and "
        "programs "
        "log in, ask, and get answers from a language model. `parley serve` runs the server. The "
        "other commands use the running server of a data directory; if none runs, they open the "
        "data directory themselves.");
    page.section("COMMANDS");
    for (const CLI::App* command : commands_of(program)) add_command(page, *command);
    add_common_options(page, program);
    add_environment(page);
    add_files(page);
    add_exit_status(page);
    page.see_also("parley.toml", 5);
    return page.text();
}

std::string settings_page(std::string_view date)
{
    ManualPage page("PARLEY.TOML", 5, "File Formats", date);
    page.name("parley.toml", "settings of the Parley server");
    page.section("SYNOPSIS");
    page.literal("parley serve --config FILE");
    page.section("DESCRIPTION");
    page.paragraph(
        "A TOML file with the settings of a server. Every setting has a default. The same keys "
        "work in "
        "the environment (`PARLEY_SERVER_LISTEN=127.0.0.1:9000`) and on the command line (`--set "
        "server.listen=127.0.0.1:9000`); the environment overrides the file, and the command line "
        "overrides both. There, lists are comma-separated.\n\n"
        "An unknown key or a wrong value stops the start with a message that names the line. "
        "`parley serve --print-settings` prints the settings in use and the source of each, and "
        "`parley doctor` checks them.");
    page.section("SETTINGS");
    add_settings(page);
    page.section("EXAMPLES");
    page.literal(example_settings);
    page.section("FILES");
    page.item(app::SystemServer().config.string(),
              "Settings of the server that the system runs (`parley.service`).");
    page.see_also("parley", 1);
    return page.text();
}

}  // namespace parley::cli
