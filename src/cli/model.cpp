#include "app/data_directory.hpp"
#include "base/escape_control.hpp"
#include "cli/confirm.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/settings_options.hpp"
#include "cli/subcommands.hpp"
#include "engine/gguf/memory_need.hpp"
#include "models/model_files.hpp"
#include "models/model_options.hpp"
#include "models/pull.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

namespace parley::cli {
namespace {

namespace gguf = engine::gguf;

constexpr std::uint64_t mib = 1U << 20U;
constexpr const char* restart_to_use =
    "Restart the server to use it; to make it the default model, set model.default.\n";

struct ModelArguments {
    std::string file;
    std::string name;
    std::string catalogue;
    bool link = false;
    bool yes = false;
};

// "135M", "7.2B"
std::string counted(std::uint64_t parameters)
{
    constexpr std::uint64_t million = 1'000'000;
    if (parameters < 1000 * million)
        return std::to_string((parameters + million / 2) / million) + "M";
    const std::uint64_t tenths = (parameters + 50 * million) / (100 * million);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "B";
}

boost::json::object described(const models::ModelFile& file, const Result<gguf::Facts>& facts)
{
    boost::json::object line{
        {"name", file.name}, {"file", file.path.string()}, {"embedded", file.embedded}};
    if (!facts) {
        line["error"] = facts.error().message;
        return line;
    }
    line["architecture"] = facts->architecture;
    line["title"] = facts->name;
    line["parameters"] = facts->parameters;
    line["quantization"] = facts->quantization;
    line["context"] = facts->context;
    line["chat_template"] = !facts->chat_template.empty();
    line["embeddings"] = facts->embeds;
    line["bytes"] = facts->file_bytes;
    const auto need = gguf::memory_need(*facts, gguf::context_of(*facts, 0));
    line["memory_bytes"] = need.at_rest;
    line["conversation_bytes"] = need.per_conversation;
    return line;
}

void print(const models::ModelFile& file, const Result<gguf::Facts>& facts, const Common& common)
{
    if (common.json) return print_line(described(file, facts));
    std::cout << escape_control(file.name) << "  ";
    if (!facts) {
        std::cout << "broken: " << escape_control(facts.error().message) << '\n';
        return;
    }
    const auto need = gguf::memory_need(*facts, gguf::context_of(*facts, 0));
    std::cout << escape_control(facts->architecture) << ", " << counted(facts->parameters)
              << " parameters, " << facts->quantization << ", context " << facts->context << ", "
              << facts->file_bytes / mib << " MiB, needs " << need.at_rest / mib
              << " MiB of memory";
    if (facts->embeds)
        std::cout << ", for embeddings of " << facts->embedding << " dimensions";
    else
        std::cout << " at rest, " << need.per_conversation / mib
                  << " MiB more for each full conversation"
                  << (facts->chat_template.empty() ? ", no chat template" : "");
    std::cout << (file.embedded ? ", embedded" : "") << '\n';
}

// A model from the settings: on another server, or scripted. Keys are not shown.
void print_configured(const std::string& name, const models::ModelOptions& model,
                      const Common& common)
{
    if (common.json)
        return print_line({{"name", name},
                           {"embedded", false},
                           {"engine", model.engine},
                           {"base_url", model.base_url},
                           {"upstream_model", model.upstream_model}});
    std::cout << escape_control(name) << "  " << escape_control(model.engine);
    if (!model.base_url.empty()) std::cout << ", " << escape_control(model.base_url);
    if (!model.upstream_model.empty())
        std::cout << ", model " << escape_control(model.upstream_model);
    std::cout << '\n';
}

Result<> list_models(const ModelArguments&, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const auto files = models::model_files(settings->data);
    for (const auto& file : files) print(file, gguf::examine(file.path), common);
    for (const auto& [name, model] : settings->models.named) {
        const bool is_listed = std::ranges::any_of(
            files, [&wanted = name](const auto& file) { return file.name == wanted; });
        if (const std::string& path = model.llama.path; !path.empty())
            print({.name = name, .path = path}, gguf::examine(path), common);
        else if (!is_listed)
            print_configured(name, model, common);
    }
    return {};
}

void ask_for_restart(const app::Settings& settings, const char* sentence, const Common& common)
{
    const auto holder = app::holder_of({settings.data});
    if (!common.json && holder && *holder) std::cerr << sentence;
}

Result<> remove_model(const ModelArguments& asked, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const auto file = models::find_model_file(settings->data, asked.name);
    if (file && !file->embedded && !asked.yes)
        if (const auto confirmed =
                confirm("Remove the model " + asked.name + " (" + file->path.string() + ")?");
            !confirmed)
            return confirmed;
    const auto removed = models::remove_model_file(settings->data, asked.name);
    if (!removed) return removed.error();
    if (common.json)
        print_line({{"name", removed->name}, {"file", removed->path.string()}});
    else
        std::cout << "Removed the model " << escape_control(removed->name) << ".\n";
    if (settings->models.default_model == removed->name)
        std::cerr << "model.default still names it: the next start fails until that is changed.\n";
    ask_for_restart(*settings, "The running server uses it until it is restarted.\n", common);
    return {};
}

Result<> add_model(const ModelArguments& asked, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const std::filesystem::path source = asked.file;
    const std::string name = asked.name.empty() ? source.stem().string() : asked.name;
    if (!models::is_model_name(name))
        return invalid_request("\"" + escape_control(name) +
                               "\" is not a valid model name: give --name with letters, digits, "
                               "and . _ - between them.");
    auto facts = gguf::examine(source);
    if (!facts) return facts.error();
    if (auto prepared = app::prepare_data_directory(settings->data); !prepared) return prepared;
    Result<models::ModelFile> added = [&] {
        const Progress progress(asked.link ? "Linking" : "Copying");
        return models::add_model_file(settings->data, source, name,
                                      asked.link ? models::Adding::link : models::Adding::copy);
    }();
    if (!added) return added.error();
    print(*added, facts, common);
    ask_for_restart(*settings, restart_to_use, common);
    return {};
}

boost::json::object described(const models::CatalogueEntry& entry)
{
    boost::json::object line{{"name", entry.name},
                             {"title", entry.title},
                             {"purpose", entry.purpose},
                             {"license", entry.license},
                             {"bytes", entry.bytes}};
    if (entry.memory_bytes > 0) line["memory_bytes"] = entry.memory_bytes;
    return line;
}

void print_catalogue(const models::Catalogue& catalogue, const Common& common)
{
    for (const models::CatalogueEntry& each : catalogue) {
        if (common.json) {
            print_line(described(each));
            continue;
        }
        std::cout << escape_control(each.name) << "  " << escape_control(each.title) << ", "
                  << each.bytes / mib << " MiB, ";
        if (each.memory_bytes > 0)
            std::cout << "needs about " << each.memory_bytes / mib << " MiB of memory, ";
        std::cout << escape_control(each.license) << "\n    " << escape_control(each.purpose)
                  << '\n';
    }
}

Result<> pull_model(const ModelArguments& asked, const Common& common)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const auto catalogue = models::open_catalogue(asked.catalogue);
    if (!catalogue) return catalogue.error();
    if (asked.name.empty()) {
        print_catalogue(*catalogue, common);
        return {};
    }
    const auto entry = std::ranges::find(*catalogue, asked.name, &models::CatalogueEntry::name);
    if (entry == catalogue->end())
        return invalid_request("There is no model \"" + escape_control(asked.name) +
                               "\" in the catalogue. `parley model pull` lists it.");
    if (const auto known = models::find_model_file(settings->data, entry->name)) {
        if (!common.json) std::cerr << "The model " << entry->name << " already exists.\n";
        print(*known, gguf::examine(known->path), common);
        return {};
    }
    if (auto prepared = app::prepare_data_directory(settings->data); !prepared) return prepared;
    const auto added = models::pull_model(*entry, settings->data);
    if (!added) return added.error();
    print(*added, gguf::examine(added->path), common);
    ask_for_restart(*settings, restart_to_use, common);
    return {};
}

}  // namespace

Run describe_model(CLI::App& command, const Common& common)
{
    Subcommands<ModelArguments> verbs(command);
    ModelArguments& asked = verbs.asked();
    verbs.add("list", "List model files, and the models of the settings.",
              "  parley model list\n"
              "  parley model list --config /etc/parley/parley.toml",
              list_models);
    CLI::App* adding =
        verbs.add("add", "Check a GGUF file and add it; the server offers it after a restart.",
                  "  parley model add qwen2.5-1.5b-instruct-q4_k_m.gguf --name qwen", add_model);
    adding->add_option("FILE", asked.file, "The model, a GGUF file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    adding->add_option("--name", asked.name, "Name for clients [the file's name]")
        ->type_name("NAME");
    adding->add_flag("--link", asked.link, "Link to the file instead of copying it");
    CLI::App* pulling = verbs.add(
        "pull", "Fetch a model of the catalogue and add it; without a name, list the catalogue.",
        "  parley model pull\n"
        "  parley model pull qwen2.5-coder-1.5b",
        pull_model);
    pulling->add_option("NAME", asked.name, "Name in the catalogue")->type_name("");
    pulling->add_option("--catalogue", asked.catalogue, "Another catalogue, a JSON file")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    CLI::App* removing = verbs.add("remove", "Remove the file of a model from the data directory.",
                                   "  parley model remove qwen\n"
                                   "  parley model remove qwen --yes",
                                   remove_model);
    removing->add_option("NAME", asked.name, "Name of the model")->required();
    removing->add_flag("--yes", asked.yes, "Do not ask for confirmation");
    command.footer(
        "Examples:\n"
        "  parley model list\n"
        "  parley model add qwen2.5-1.5b-instruct-q4_k_m.gguf --name qwen\n"
        "  parley model pull qwen2.5-coder-1.5b\n"
        "  parley model remove qwen\n"
        "  parley serve --model qwen");
    return verbs.run(common);
}

}  // namespace parley::cli
