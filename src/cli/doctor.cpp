#include "app/system_server.hpp"
#include "base/available_memory.hpp"
#include "base/escape_control.hpp"
#include "cli/finding.hpp"
#include "cli/output.hpp"
#include "cli/settings_options.hpp"
#include "schedule/zone.hpp"
#include "store/sqlite/opening.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <iomanip>
#include <iostream>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace parley::cli {
namespace {

constexpr std::array<const char*, 3> names = {"ok", "warn", "fail"};

const char* name_of(Verdict verdict) { return names[static_cast<std::size_t>(verdict)]; }

Finding check_settings(const app::SettingSources& sources, app::Settings& settings)
{
    const auto loaded = app::load_settings(sources);
    Finding found{.check = "settings", .verdict = Verdict::fail, .finding = ""};
    if (!loaded) {
        found.finding = loaded.error().message;
        found.advice = "The other checks use the defaults.";
        if (const auto data = app::find_data_directory(sources.data, sources.environment))
            settings.data = *data;
        return found;
    }
    settings = loaded->settings;
    if (const auto checked = app::check(settings); !checked) {
        found.finding = checked.error().message;
        return found;
    }
    return {.check = "settings",
            .finding = std::to_string(loaded->from.size()) + " of " +
                       std::to_string(app::all_settings().size()) + " are given"};
}

// Checks the content of the database. A running server has checked its own, and continues to do so.
Finding check_store(const app::DataPaths& paths, const app::Settings& settings,
                    const Holder& holder)
{
    if (!settings.postgres.url.empty()) return check_postgres(settings);
    Finding file = check_store_file(paths, settings.store_kind);
    const bool is_free = settings.store_kind == "sqlite" && !holder && file.verdict == Verdict::ok;
    if (!is_free || !std::filesystem::exists(paths.database())) return file;
    const auto examined = store::sqlite::examine(paths.database());
    if (examined) return file;
    return {.check = file.check, .verdict = Verdict::fail, .finding = examined.error().message};
}

void check_local_models(std::span<const models::LocalModel> models, std::vector<Finding>& findings)
{
    engine::gguf::FreeMemory free{.system = available_memory()};
    if (models::may_use_gpu(models)) {
        const auto gpus = models::find_gpus();
        for (auto& found : check_gpus(gpus)) findings.push_back(std::move(found));
        free.gpu = gpus.free();
    }
    for (const auto& model : models) findings.push_back(check_model(model, free));
}

std::vector<Finding> examine(const app::SettingSources& sources)
{
    app::Settings settings;
    std::vector<Finding> findings = {check_settings(sources, settings)};
    const auto now = system_clock().now();

    Holder holder;
    const app::DataPaths paths{settings.data};
    if (!settings.data.empty()) {
        if (const auto held = app::holder_of(paths)) holder = *held;
        findings.push_back(check_directory(paths, holder));
        findings.push_back(check_disk(paths, settings.min_free_bytes));
        findings.push_back(check_store(paths, settings, holder));
        if (!settings.postgres.url.empty() && findings.back().verdict != Verdict::fail)
            findings.push_back(check_replicas(settings));
    }
    findings.push_back(check_port("port", settings.listen, holder));
    findings.push_back(check_port("metrics port", settings.metrics_listen, holder));
    findings.push_back(check_certificate(settings.tls, now));
    findings.push_back(check_clock(paths, now));
    findings.push_back(check_synchronised());
    findings.push_back(check_time_zones(schedule::Zones::usual_folder(), now));
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    findings.push_back(check_descriptors(files.rlim_max, settings.connections.max_connections));
    const auto models = models::local_models(settings.models, settings.data);
    if (!models)
        findings.push_back(
            {.check = "model", .verdict = Verdict::fail, .finding = models.error().message});
    else
        check_local_models(*models, findings);
    for (auto& found : check_upstreams(settings)) findings.push_back(std::move(found));
    for (auto& found : check_login_provider(settings)) findings.push_back(std::move(found));
    if (models::default_model(settings.models, settings.data) == "scripted")
        findings.push_back({.check = "model",
                            .verdict = Verdict::warn,
                            .finding = "the scripted model answers, which only repeats the message",
                            .advice = "Add a model with `parley model add FILE.gguf`, or set an "
                                      "upstream (see `parley serve --help-settings`)."});
    findings.push_back(
        check_memory(available_memory() >> 20U, std::thread::hardware_concurrency()));
    return findings;
}

void print(const Finding& found, bool json)
{
    if (json) {
        boost::json::object line{{"check", found.check},
                                 {"verdict", name_of(found.verdict)},
                                 {"finding", found.finding}};
        if (!found.advice.empty()) line["advice"] = found.advice;
        return print_line(line);
    }
    std::cout << std::left << std::setw(6) << name_of(found.verdict) << std::setw(18) << found.check
              << escape_control(found.finding) << '\n';
    if (!found.advice.empty())
        std::cout << std::string(24, ' ') << escape_control(found.advice) << '\n';
}

int doctor(const SettingsOptions& options, const Common& common)
{
    std::array<int, 3> count{};
    for (const auto& found : examine(options.sources(common))) {
        print(found, common.json);
        ++count[static_cast<std::size_t>(found.verdict)];
    }
    if (!common.json)
        std::cout << '\n'
                  << count[0] << " ok, " << count[1]
                  << (count[1] == 1 ? " warning, " : " warnings, ") << count[2] << " failed\n";
    return count[2] == 0 ? succeeded : failed;
}

}  // namespace

Run describe_doctor(CLI::App& command, const Common& common)
{
    const auto options = add_settings_options(command);
    command.footer(
        "Takes the options of `parley serve` and changes nothing. Connects to each upstream "
        "model,\n"
        "for at most 5 seconds each. The exit code is 1 if a check fails.\n\n"
        "Examples:\n"
        "  parley doctor\n"
        "  parley doctor --config /etc/parley/parley.toml --data /var/lib/parley\n"
        "  parley doctor --json");
    return [options, &common] { return doctor(*options, common); };
}

}  // namespace parley::cli
