// How `parley automation` shows triggers, and new secrets of hooks.
#include "cli/automation_arguments.hpp"
#include "cli/terminal_text.hpp"

#include <boost/json.hpp>

#include <iostream>

namespace parley::cli {
namespace {

std::string joined_types(const boost::json::object& trigger)
{
    std::string text;
    for (const auto& each : trigger.at("event_types").as_array())
        text.append(text.empty() ? "" : ", ").append(each.as_string());
    return for_terminal(text);
}

const boost::json::object* hook_of(const boost::json::object& automation)
{
    const auto* hook = automation.if_contains("hook");
    return hook ? hook->if_object() : nullptr;
}

Result<> rotate(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.automation);
    if (!found) return found.error();
    const auto made = opened->client.ask("POST", path_of_automation(*found) + "/hook/rotate",
                                         {{"overlap_s", asked.overlap_s}});
    if (!made) return made.error();
    if (common.json)
        print_line(*made);
    else
        print_new_secret(*made);
    return {};
}

}  // namespace

std::string trigger_text(const boost::json::object& automation)
{
    const auto* trigger = automation.if_contains("trigger");
    if (!trigger || !trigger->is_object()) return "none, it is run by hand";
    const auto& fields = trigger->as_object();
    const std::string type = shown(fields, "type");
    if (type == "event") return "events " + joined_types(fields);
    if (const auto* hook = hook_of(automation))
        return "hook " + shown(*hook, "url") + ", " + shown(fields, "verify");
    const std::string cron = shown(fields, "cron");
    return (cron.empty() ? shown(fields, "at") : cron) + ", " + shown(fields, "time_zone");
}

void print_new_secret(const boost::json::object& automation)
{
    const auto* hook = hook_of(automation);
    if (hook && hook->contains("secret"))
        std::cout << shown(*hook, "url") << '\n' << shown(*hook, "secret") << '\n';
}

void add_hook_subcommands(Subcommands<AutomationArguments>& verbs)
{
    AutomationArguments& asked = verbs.asked();
    CLI::App* rotating = verbs.add(
        "rotate", "Replace the secret of a hook and print its URL and the new secret (once).",
        "  parley automation rotate Issues\n"
        "  parley automation rotate Issues --overlap 600",
        rotate);
    rotating->add_option("AUTOMATION", asked.automation, "Id, aut_…, or name")->required();
    rotating
        ->add_option("--overlap", asked.overlap_s,
                     "Seconds for which the old secret stays valid [86400]")
        ->type_name("S");
}

}  // namespace parley::cli
