#include "app/version.hpp"
#include "base/suggest.hpp"
#include "cli/app_names.hpp"
#include "cli/cli.hpp"
#include "cli/help_formatter.hpp"
#include "cli/not_empty.hpp"
#include "cli/output.hpp"

#include <algorithm>
#include <array>
#include <iostream>

namespace parley::cli {
namespace {

constexpr std::array all_commands = {
    Command{"serve", "Run the server until SIGTERM or Ctrl-C.", true, false, describe_serve},
    Command{"doctor", "Check for problems that keep the server from working.", true, false,
            describe_doctor},
    Command{"health", "Check whether the running server answers requests.", true, false,
            describe_health},
    Command{"replicas", "List the servers that share a PostgreSQL database.", true, false,
            describe_replicas},
    Command{"chat", "Chat with the assistant in the terminal.", true, true, describe_chat},
    Command{"automation", "Create, run and watch automations.", true, true, describe_automation},
    Command{"webhook", "Create and watch webhooks, and send events again.", true, true,
            describe_webhook},
    Command{"events", "Show or follow the events of an account.", true, true, describe_events},
    Command{"import", "Import conversations of ChatGPT, Open WebUI or Parley.", true, true,
            describe_import},
    Command{"export", "Export all data of a user.", true, true, describe_export},
    Command{"user", "Create, list, change and remove users.", true, true, describe_user},
    Command{"token", "Create, list and revoke tokens.", true, true, describe_token},
    Command{"model", "List, fetch, add and remove models.", true, false, describe_model},
    Command{"audit", "Show the audit log: actions, users and addresses.", true, true,
            describe_audit},
    Command{"backup", "Copy all data into a file; the server keeps running.", true, false,
            describe_backup},
    Command{"restore", "Restore a backup into an empty data directory.", true, false,
            describe_restore},
    Command{"openapi", "Print the OpenAPI 3.1 description of the API.", false, false,
            describe_openapi},
    Command{"completion", "Print a script that completes commands in a shell.", false, false,
            describe_completion},
    Command{"man", "Print a manual page.", false, false, describe_man},
    Command{"version", "Print the version.", false, false, describe_version},
};

const CLI::App& innermost(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : innermost(*chosen.front());
}

// Options or commands, to suggest in place of an unknown word.
std::vector<std::string> alternatives(const CLI::App& app, bool options)
{
    std::vector<std::string> names;
    for (const CLI::App* each = &app; options && each; each = each->get_parent())
        for (const CLI::Option* option : each->get_options())
            for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    if (!options)
        for (const CLI::App* each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
    return names;
}

std::string about_unknown(const CLI::App& app, const std::string& word)
{
    const bool is_option = word.starts_with('-');
    const std::string bare = word.substr(0, is_option ? word.find('=') : word.npos);
    const auto names = alternatives(app, is_option);
    if (!is_option && names.empty())
        return "`" + full_name(app) + "` does not take \"" + word + "\".";
    if (std::ranges::find(names, bare) != names.end())
        return "The option " + bare + " belongs after the command: `" + full_name(app) + " " +
               word + "`.";
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto near = suggest(bare, known);
    return std::string("There is no ") + (is_option ? "option " : "command ") + bare + "." +
           (near ? " Did you mean " + std::string(*near) + "?" : "");
}

}  // namespace

Program::Program() : app_("Parley: an AI chat and automation service in one program.", "parley")
{
    app_.require_subcommand(1);
    app_.set_version_flag("--version", app::version, "Print the version and exit");
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.get_formatter()->column_width(34);
    app_.footer(
        "Examples:\n"
        "  parley serve\n"
        "  parley serve --listen 127.0.0.1:9000 --set log.level=debug\n"
        "  parley serve --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem\n"
        "  parley chat \"What is the capital of France?\"\n"
        "  parley doctor --config parley.toml\n"
        "See `parley COMMAND --help` for each command.");
    for (const auto& [name, summary, reads_settings, works_remotely, describe] : all_commands) {
        CLI::App* command = app_.add_subcommand(std::string(name), std::string(summary));
        // Subcommands also accept the options of the command above them.
        command->fallthrough();
        runs_[command] = describe(*command, common_);
        if (reads_settings) add_settings(*command);
        if (works_remotely) add_remote(*command);
        command
            ->add_option("--data", common_.data,
                         "Data directory of the server [$PARLEY_DATA; else /var/lib/parley for "
                         "its owner, ~/.local/share/parley for others]")
            ->type_name("DIR")
            ->group(HelpFormatter::shared_group)
            ->check(not_empty());
        command->add_flag("--json", common_.json, "Print one JSON object per line")
            ->group(HelpFormatter::shared_group);
    }
}

void Program::add_remote(CLI::App& command)
{
    command
        .add_option("--url", common_.url, "URL of a server on another machine, instead of --data")
        ->type_name("URL")
        ->group(HelpFormatter::shared_group)
        ->check(not_empty());
    command
        .add_option("--token-file", common_.token_file,
                    "File with a token for --url [$PARLEY_TOKEN]")
        ->type_name("FILE")
        ->group(HelpFormatter::shared_group)
        ->check(not_empty());
}

void Program::add_settings(CLI::App& command)
{
    command.add_option("--config", common_.config, "Settings file, TOML")
        ->type_name("FILE")
        ->group(HelpFormatter::shared_group)
        ->check(not_empty());
    command.add_option("--set", common_.assignments, "Change a setting; may be repeated")
        ->type_name("KEY=VALUE")
        ->group(HelpFormatter::shared_group)
        ->expected(1)
        ->take_all();
}

int Program::run(int argc, const char* const* argv)
{
    try {
        app_.parse(argc, argv);
    } catch (const CLI::Success& asked_for_help) {
        return app_.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
        return complain_about(error);
    }
    const int code = run_chosen();
    if (!std::cout.flush() && code == succeeded)
        return complain("The output could not be written.", failed, common_);
    return code;
}

int Program::run_chosen()
{
    const Run& chosen = runs_.at(app_.get_subcommands().front());
    if (common_.url.empty()) return chosen();  // An exception here would be a bug.
    try {
        return chosen();
    } catch (const std::exception&) {
        return complain("The server at --url is not a Parley server.", failed, common_);
    }
}

int Program::complain_about(const CLI::ParseError& error)
{
    const CLI::App& reached = innermost(app_);
    const std::string help = " See `" + full_name(reached) + " --help`.";
    if (const auto unknown = app_.remaining(true); !unknown.empty())
        return complain(about_unknown(reached, unknown.front()) + help, misunderstood, common_);
    if (&reached == &app_)
        return complain("A command is missing, such as `parley serve`." + help, misunderstood,
                        common_);
    return complain(std::string(error.what()) + "." + help, misunderstood, common_);
}

}  // namespace parley::cli
