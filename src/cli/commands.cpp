#include "cli/commands.hpp"

#include "app/app.hpp"
#include "app/version.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

constexpr int failed = 1;
constexpr int misunderstood = 2;

struct ServeOptions {
    std::string listen;
    std::string tls_cert;
    std::string tls_key;
    std::vector<std::string> assignments;
    bool help_settings = false;
};

int complain(const std::string& sentence, int code)
{
    std::cerr << "parley: " << sentence << '\n';
    return code;
}

void print_settings()
{
    const app::Settings defaults;
    std::cout << "Settings of `parley serve`, each as --set KEY=VALUE:\n\n";
    for (const auto& setting : app::all_settings())
        std::cout << "  " << setting.key << " (" << setting.show(defaults) << ")\n      "
                  << setting.meaning << '\n';
}

Result<app::Settings> settings_from(const ServeOptions& options)
{
    app::Settings settings;
    for (const auto& assignment : options.assignments)
        if (auto done = app::set(settings, assignment); !done) return done.error();
    if (!options.listen.empty()) settings.listen = options.listen;
    if (!options.tls_cert.empty()) settings.tls_cert = options.tls_cert;
    if (!options.tls_key.empty()) settings.tls_key = options.tls_key;
    if (auto checked = app::check(settings); !checked) return checked.error();
    return settings;
}

int serve(const ServeOptions& options)
{
    if (options.help_settings) {
        print_settings();
        return 0;
    }
    const auto settings = settings_from(options);
    if (!settings) return complain(settings.error().message, misunderstood);
    const auto served = app::serve(*settings);
    return served ? 0 : complain(served.error().message, failed);
}

}  // namespace

int run(int argc, char** argv)
{
    CLI::App parley{"Parley: an AI chat and automation service in one program."};
    parley.require_subcommand(1);
    parley.set_version_flag("--version", app::version);
    parley.footer(
        "Examples:\n"
        "  parley serve\n"
        "  parley serve --listen 127.0.0.1:9000 --set log.level=debug\n"
        "  parley serve --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem\n"
        "`parley COMMAND --help` tells more about a command.");

    ServeOptions options;
    CLI::App* serving = parley.add_subcommand("serve", "Serve until SIGTERM or Ctrl-C.");
    serving->add_option("--listen", options.listen, "Address and port [127.0.0.1:8080]")
        ->type_name("ADDR:PORT");
    serving->add_option("--tls-cert", options.tls_cert, "Certificate and its chain, PEM")
        ->type_name("FILE");
    serving->add_option("--tls-key", options.tls_key, "Private key of the certificate, PEM")
        ->type_name("FILE");
    serving->add_option("--set", options.assignments, "Change a setting; may be given often")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    serving->add_flag("--help-settings", options.help_settings, "List all settings");
    serving->footer(
        "Examples:\n"
        "  parley serve --listen 127.0.0.1:9000\n"
        "  parley serve --set server.cors_origins=https://app.example.org\n"
        "  parley serve --set metrics.listen=off --set log.format=json");

    CLI::App* versioning = parley.add_subcommand("version", "Print the version.");

    try {
        parley.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parley.exit(error) == 0 ? 0 : misunderstood;
    }
    if (*versioning) std::cout << "parley " << app::version << '\n';
    if (*serving) return serve(options);
    return 0;
}

}  // namespace parley::cli
