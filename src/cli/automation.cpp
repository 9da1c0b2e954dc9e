#include "api/target.hpp"
#include "cli/automation_arguments.hpp"
#include "cli/confirm.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"

#include <iostream>
#include <limits>

namespace parley::cli {
namespace {

// "paused (failures)"
std::string state_text(const boost::json::object& automation)
{
    const std::string reason = shown(automation, "pause_reason");
    return shown(automation, "state") + (reason.empty() ? "" : " (" + reason + ")");
}

void print_whole(const boost::json::object& automation, const Common& common)
{
    if (common.json) return print_line(automation);
    const auto line = [](const char* label, const std::string& text) {
        if (!text.empty()) std::cout << "  " << label << text << '\n';
    };
    std::cout << shown(automation, "name") << '\n';
    line("id         ", shown(automation, "id"));
    line("state      ", state_text(automation));
    line("trigger    ", trigger_text(automation));
    line("next run   ", shown(automation, "next_at"));
    line("last run   ", shown(automation, "last_run"));
    line("overlap    ", shown(automation, "overlap"));
    line("model      ", shown(automation, "model"));
    line("failures   ", std::to_string(automation.at("consecutive_failures").as_int64()));
    line("created    ", shown(automation, "created_at"));
    std::cout << '\n'
              << for_terminal(boost::json::value_to<std::string>(automation.at("message"))) << '\n';
}

Result<> list_automations(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    std::string target = automations_path;
    char separator = '?';
    for (const auto& [name, text] :
         {std::pair("state", &asked.state), {"q", &asked.part_of_name}}) {
        if (text->empty()) continue;
        target.append(1, separator).append(name).append("=").append(api::percent_encode(*text));
        separator = '&';
    }
    return for_each_item(opened->client, target, std::numeric_limits<std::int64_t>::max(),
                         [&common](const boost::json::object& each) {
                             print_automation(each, common);
                             return true;
                         });
}

Result<> show(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.automation);
    if (!found) return found.error();
    print_whole(*found, common);
    return {};
}

Result<> add(const AutomationArguments& asked, const Common& common)
{
    const auto definition = definition_of(asked.definition);
    if (!definition) return definition.error();
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto made = opened->client.ask("POST", automations_path, *definition);
    if (!made) return made.error();
    print_automation(*made, common);
    if (!common.json) print_new_secret(*made);
    return {};
}

Result<> set_paused(const AutomationArguments& asked, const Common& common, bool paused)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.automation);
    if (!found) return found.error();
    const auto changed =
        opened->client.ask("PATCH", path_of_automation(*found), {{"paused", paused}});
    if (!changed) return changed.error();
    print_automation(*changed, common);
    return {};
}
Result<> pause(const AutomationArguments& asked, const Common& common)
{
    return set_paused(asked, common, true);
}
Result<> resume(const AutomationArguments& asked, const Common& common)
{
    return set_paused(asked, common, false);
}

Result<> remove(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.automation);
    if (!found) return found.error();
    if (!asked.yes)
        if (const auto confirmed =
                confirm("Remove " + shown(*found, "name") + " and the list of its runs?");
            !confirmed)
            return confirmed;
    const auto done = opened->client.ask("DELETE", path_of_automation(*found));
    if (!done) return done.error();
    if (common.json)
        print_line(*found);
    else
        std::cout << "Removed " << shown(*found, "name") << " (" << shown(*found, "id")
                  << "). Its sessions stay.\n";
    return {};
}

void print_occurrence(const boost::json::object& occurrence, const Common& common)
{
    if (common.json) return print_line(occurrence);
    const std::string note = shown(occurrence, "note");
    std::cout << shown(occurrence, "local") << "  " << shown(occurrence, "scheduled_for")
              << (note.empty() ? "" : "  " + note) << '\n';
}

Result<> show_next(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.automation);
    if (!found) return found.error();
    std::string target =
        path_of_automation(*found) + "/occurrences?limit=" + std::to_string(asked.count);
    if (!asked.from.empty()) target += "&from=" + api::percent_encode(asked.from);
    const auto times = opened->client.ask("GET", target);
    if (!times) return times.error();
    for (const auto& each : times->at("data").as_array())
        print_occurrence(each.as_object(), common);
    return {};
}

Result<> preview(const AutomationArguments& asked, const Common& common)
{
    auto body = definition_of(asked.definition);
    if (!body) return body.error();
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    (*body)["count"] = asked.count;
    if (!asked.from.empty()) (*body)["from"] = asked.from;
    const auto seen = opened->client.ask("POST", std::string(automations_path) + "/preview", *body);
    if (!seen) return seen.error();
    if (common.json) {
        print_line(*seen);
        return {};
    }
    for (const auto& each : seen->at("occurrences").as_array())
        print_occurrence(each.as_object(), common);
    for (const auto& each : seen->at("warnings").as_array())
        std::cout << "Warning: " << for_terminal(each.as_string()) << '\n';
    std::cout << '\n'
              << for_terminal(boost::json::value_to<std::string>(seen->at("message"))) << '\n';
    return {};
}

void add_time_options(CLI::App& command, AutomationArguments& asked)
{
    command.add_option("-n,--count", asked.count, "Number of due times [10]")->type_name("N");
    command.add_option("--from", asked.from, "Due times after this time [now]")->type_name("TIME");
}

}  // namespace

void print_automation(const boost::json::object& automation, const Common& common)
{
    if (common.json) return print_line(automation);
    const std::string next = shown(automation, "next_at");
    std::cout << shown(automation, "name") << "  " << state_text(automation) << "  "
              << (next.empty() ? "-" : next) << "  " << shown(automation, "id") << '\n';
}

Result<AutomationAccess> open_automations(const AutomationArguments& asked, const Common& common)
{
    auto access = open_user_access(
        common, {.user = asked.user,
                 .name = "parley automation",
                 .scopes = {"automation:read", "automation:write", "chat:read", "chat:write"},
                 .test = asked.test});
    if (!access) return access.error();
    auto client = access->client();
    if (!client) return client.error();
    return AutomationAccess{std::move(*access), std::move(*client)};
}

std::string path_of_automation(const boost::json::object& automation)
{
    return std::string(automations_path) + "/" +
           boost::json::value_to<std::string>(automation.at("id"));
}

Result<boost::json::object> AutomationAccess::find(const std::string& automation)
{
    const std::string path = automations_path;
    if (automation.starts_with("aut_"))
        return client.ask("GET", path + "/" + api::percent_encode(automation));
    std::vector<boost::json::object> found;
    const auto looked = for_each_item(client, path + "?q=" + api::percent_encode(automation),
                                      std::numeric_limits<std::int64_t>::max(),
                                      [&](const boost::json::object& each) {
                                          if (each.at("name").as_string() == automation)
                                              found.push_back(each);
                                          return found.size() < 2;
                                      });
    if (!looked) return looked.error();
    if (found.empty())
        return Error{Errc::not_found, "There is no automation named " + automation + "."};
    if (found.size() > 1)
        return Error{Errc::not_found, "Several automations are named " + automation +
                                          ": give the id, see `parley automation list`."};
    return std::move(found.front());
}

Run describe_automation(CLI::App& command, const Common& common)
{
    Subcommands<AutomationArguments> verbs(command);
    AutomationArguments& asked = verbs.asked();
    command.add_option("--user", asked.user, "User of the automations [the only user]")
        ->type_name("NAME");
    command.add_flag("--test", asked.test, "Automations of test mode");
    const auto verb = [&](const char* name, const char* summary, const char* examples,
                          Subcommands<AutomationArguments>::Act act) {
        CLI::App* added = verbs.add(name, summary, examples, act);
        added->add_option("AUTOMATION", asked.automation, "Id, aut_…, or name")->required();
        return added;
    };
    CLI::App* listing = verbs.add("list", "List automations, newest first.",
                                  "  parley automation list\n"
                                  "  parley automation list --state paused --json",
                                  list_automations);
    listing->add_option("--state", asked.state, "active, paused or ended")
        ->check(CLI::IsMember({"active", "paused", "ended"}));
    listing->add_option("-q", asked.part_of_name, "Part of the name")->type_name("TEXT");
    verb("show", "Show one automation.", "  parley automation show Digest", show);
    CLI::App* adding = verbs.add(
        "add", "Create an automation.",
        "  parley automation add digest.json\n"
        "  parley automation add --name Digest --message \"Good morning, {{reader}}!\" \\\n"
        "      --variable reader=Ana --cron \"0 9 * * MON-FRI\" --time-zone Europe/Berlin\n"
        "  parley automation add issues.json --hook github",
        add);
    add_definition_options(*adding, asked.definition);
    adding->add_flag("--paused", asked.definition.paused, "Create it paused");
    CLI::App* looking = verbs.add("preview", "Check an automation and show its due times.",
                                  "  parley automation preview digest.json -n 3\n"
                                  "  parley automation preview - --from 2027-03-25T12:00:00Z < "
                                  "digest.json",
                                  preview);
    add_definition_options(*looking, asked.definition);
    add_time_options(*looking, asked);
    add_time_options(*verb("next", "Show the next due times of an automation.",
                           "  parley automation next Digest -n 5", show_next),
                     asked);
    verb("pause", "Pause an automation.", "  parley automation pause Digest", pause);
    verb("resume", "Resume a paused automation.", "  parley automation resume Digest", resume);
    verb("remove", "Remove an automation and the list of its runs.",
         "  parley automation remove Digest\n"
         "  parley automation remove Digest --yes",
         remove)
        ->add_flag("--yes", asked.yes, "Do not ask for confirmation");
    add_hook_subcommands(verbs);
    add_moving_subcommands(verbs);
    add_run_subcommands(verbs);
    command.footer(
        "Needs a running server: the one on the data directory, or the one at --url.\n\n"
        "Examples:\n"
        "  parley automation add digest.json\n"
        "  parley automation run Digest --variable reader=Ben\n"
        "  parley automation runs Digest --status failed");
    return [run = verbs.run(common)] {
        const Interruption interruption;  // A temporary token is revoked first.
        return run();
    };
}

}  // namespace parley::cli
