// `parley automation export` and `import`: definitions of automations, one JSON object per line.
#include "base/json.hpp"
#include "cli/automation_arguments.hpp"
#include "cli/not_empty.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"

#include <fstream>
#include <iostream>
#include <limits>
#include <set>

namespace parley::cli {
namespace {

// What a create takes: without what the server adds.
boost::json::object definition_in(boost::json::object automation)
{
    for (const char* added :
         {"object", "id", "revision", "state", "pause_reason", "next_at", "hook", "last_run",
          "consecutive_failures", "created_at", "updated_at"})
        automation.erase(added);
    return automation;
}

Result<> export_automations(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    std::vector<boost::json::object> definitions;
    const auto take = [&](const boost::json::object& each) {
        definitions.push_back(definition_in(each));
        return true;
    };
    if (asked.automation.empty()) {
        const auto listed = for_each_item(opened->client, automations_path,
                                          std::numeric_limits<std::int64_t>::max(), take);
        if (!listed) return listed.error();
    } else {
        const auto found = opened->find(asked.automation);
        if (!found) return found.error();
        take(*found);
    }
    // The list has the newest first; an import creates them in their order.
    for (auto each = definitions.rbegin(); each != definitions.rend(); ++each) print_line(*each);
    return {};
}

// Each line of a file, or of standard input for "-".
Result<std::vector<boost::json::object>> read_definitions(const std::string& file)
{
    std::ifstream opened;
    if (file != "-") opened.open(file, std::ios::binary);
    if (file != "-" && !opened)
        return Error{Errc::invalid_request, "The file " + file + " cannot be opened."};
    std::istream& input = file == "-" ? std::cin : opened;
    std::vector<boost::json::object> definitions;
    std::string line;
    for (int number = 1; std::getline(input, line); ++number) {
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        auto parsed = json::parse(line);
        if (!parsed || !parsed->is_object())
            return Error{Errc::invalid_request,
                         "Line " + std::to_string(number) + " is not a JSON object."};
        definitions.push_back(std::move(parsed->as_object()));
    }
    if (input.bad()) return Error{Errc::invalid_request, "The definitions cannot be read."};
    return definitions;
}

std::string name_of(const boost::json::object& definition)
{
    const auto* name = definition.if_contains("name");
    return name && name->is_string() ? boost::json::value_to<std::string>(*name) : std::string();
}

// An import that failed half-way can be repeated: what is there already is not created again.
Result<std::set<std::string>> existing_names(AutomationAccess& opened)
{
    std::set<std::string> names;
    const auto listed =
        for_each_item(opened.client, automations_path, std::numeric_limits<std::int64_t>::max(),
                      [&](const boost::json::object& each) {
                          names.insert(name_of(each));
                          return true;
                      });
    if (!listed) return listed.error();
    return names;
}

Result<> import_automations(const AutomationArguments& asked, const Common& common)
{
    auto definitions = read_definitions(asked.definition.file);
    if (!definitions) return definitions.error();
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto names = existing_names(*opened);
    if (!names) return names.error();
    for (boost::json::object& each : *definitions) {
        const std::string name = name_of(each);
        if (names->contains(name)) {
            std::cerr << "Skipped " << for_terminal(name) << ": it already exists.\n";
            continue;
        }
        if (asked.definition.paused) each["paused"] = true;
        const auto made = opened->client.ask("POST", automations_path, each);
        if (!made) return Error{made.error().code, name + ": " + made.error().message};
        print_automation(*made, common);
        if (!common.json) print_new_secret(*made);
    }
    return {};
}

}  // namespace

void add_moving_subcommands(Subcommands<AutomationArguments>& verbs)
{
    AutomationArguments& asked = verbs.asked();
    CLI::App* exporting = verbs.add("export", "Print definitions, one JSON object per line.",
                                    "  parley automation export > automations.jsonl\n"
                                    "  parley automation export Digest",
                                    export_automations);
    exporting->add_option("AUTOMATION", asked.automation, "Id, aut_…, or name [all]");
    CLI::App* importing =
        verbs.add("import", "Create automations from exported definitions.",
                  "  parley automation import automations.jsonl\n"
                  "  parley automation export | parley automation import - --paused \\\n"
                  "      --url https://chat.example.org --token-file token",
                  import_automations);
    importing
        ->add_option("FILE", asked.definition.file,
                     "Definitions, one JSON object per line; `-`: standard input")
        ->required()
        ->check(not_empty());
    importing->add_flag("--paused", asked.definition.paused, "Create them paused");
    importing->footer(
        "Automations whose name exists already are skipped. Hooks get new secrets, which are\n"
        "printed once.\n\n" +
        importing->get_footer());
}

}  // namespace parley::cli
