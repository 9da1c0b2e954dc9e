// `parley automation export` and `import`: definitions of automations, one JSON object per line.
#include "cli/automation_import.hpp"
#include "cli/definition_lines.hpp"
#include "cli/not_empty.hpp"
#include "cli/output.hpp"
#include "cli/pages.hpp"

#include <limits>

namespace parley::cli {
namespace {

// The members that a create takes, and the id, by which other definitions refer to it.
boost::json::object definition_in(boost::json::object automation)
{
    for (const char* added : {"object", "revision", "state", "pause_reason", "next_at", "hook",
                              "last_run", "consecutive_failures", "created_at", "updated_at"})
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

Result<> import_automations(const AutomationArguments& asked, const Common& common)
{
    auto definitions = read_definitions(asked.definition.file);
    if (!definitions) return definitions.error();
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    return AutomationImport(*opened, common, asked.definition.paused).run(std::move(*definitions));
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
        "Automations whose name exists already, or whose only time has passed, are skipped.\n"
        "References to automations or sessions that do not exist here are left out; an automation\n"
        "that would be started by more events without its reference is created paused. Hooks get\n"
        "new secrets, which are printed once.\n\n" +
        importing->get_footer());
}

}  // namespace parley::cli
