#include "cli/settings_options.hpp"

#include "cli/not_empty.hpp"

namespace parley::cli {

namespace {

app::SettingSources setting_sources(const Common& common)
{
    return {.config_file = common.config,
            .environment = app::environment_of_process(),
            .assignments = common.assignments,
            .options = {},
            .data = common.data};
}

}  // namespace

Result<app::Settings> settings_of(const Common& common)
{
    auto loaded = app::load_settings(setting_sources(common));
    if (!loaded) return loaded.error();
    return std::move(loaded->settings);
}

app::SettingSources SettingsOptions::sources(const Common& common) const
{
    app::SettingSources sources = setting_sources(common);
    const auto add = [&](const char* option, const char* key, const std::string& value) {
        if (!value.empty()) sources.options.push_back({option, key, value});
    };
    add("--listen", "server.listen", listen);
    add("--model", "model.default", model);
    add("--tls-cert", "server.tls_cert", tls_cert);
    add("--tls-key", "server.tls_key", tls_key);
    return sources;
}

std::shared_ptr<const SettingsOptions> add_settings_options(CLI::App& command)
{
    auto options = std::make_shared<SettingsOptions>();
    command
        .add_option("--listen", options->listen,
                    "Address and port [" + app::Settings().listen + "]")
        ->type_name("ADDR:PORT")
        ->check(not_empty());
    command.add_option("--model", options->model, "Default model [the embedded model]")
        ->type_name("NAME")
        ->check(not_empty());
    command.add_option("--tls-cert", options->tls_cert, "Certificate and its chain, PEM")
        ->type_name("FILE")
        ->check(not_empty());
    command.add_option("--tls-key", options->tls_key, "Private key of the certificate, PEM")
        ->type_name("FILE")
        ->check(not_empty());
    return options;
}

}  // namespace parley::cli
