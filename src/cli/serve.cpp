#include "app/app.hpp"
#include "cli/output.hpp"
#include "cli/settings_help.hpp"
#include "cli/settings_options.hpp"

#include <CLI/CLI.hpp>

namespace parley::cli {
namespace {

struct ServeOptions {
    std::shared_ptr<const SettingsOptions> settings;
    bool help_settings = false;
    bool print_settings = false;
};

int serve(const ServeOptions& options, const Common& common)
{
    if (options.help_settings) {
        print_settings_help(common.json);
        return succeeded;
    }
    auto sources = options.settings->sources(common);
    if (common.json && !options.print_settings)
        sources.options.push_back({"--json", "log.format", "json"});
    const auto loaded = app::load_settings(sources);
    if (!loaded) return complain(loaded.error().message, misunderstood, common);
    if (const auto checked = app::check(loaded->settings); !checked)
        return complain(checked.error().message, misunderstood, common);
    if (options.print_settings) {
        print_settings(*loaded, common.json);
        return succeeded;
    }
    const auto served = app::serve(loaded->settings);
    return served ? succeeded : complain(served.error().message, failed, common);
}

}  // namespace

Run describe_serve(CLI::App& command, const Common& common)
{
    auto options = std::make_shared<ServeOptions>();
    options->settings = add_settings_options(command);
    command.add_flag("--help-settings", options->help_settings, "List all settings and exit");
    command.add_flag("--print-settings", options->print_settings,
                     "Print the settings in use and the source of each, and exit");
    command.footer(
        "Examples:\n"
        "  parley serve --listen 127.0.0.1:9000\n"
        "  parley serve --config /etc/parley/parley.toml --data /var/lib/parley\n"
        "  parley serve --model qwen --set models.qwen.path=/srv/qwen.gguf\n"
        "  parley serve --set server.cors_origins=https://app.example.org\n"
        "  parley serve --set metrics.listen=off --set log.format=json");
    return [options, &common] { return serve(*options, common); };
}

}  // namespace parley::cli
