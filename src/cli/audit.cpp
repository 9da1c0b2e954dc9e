#include "api/target.hpp"
#include "base/clock.hpp"
#include "base/escape_control.hpp"
#include "cli/audit_names.hpp"
#include "cli/duration.hpp"
#include "cli/find_user.hpp"
#include "cli/output.hpp"
#include "cli/pages.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

struct AuditArguments {
    std::int64_t limit = 20;
    std::string actor;
    std::string action;
    std::string target;
    std::string since;
    std::string before;
    std::string note;
};

void print_event(boost::json::object event, AuditNames& names, const Common& common)
{
    const std::string actor = names.find(boost::json::value_to<std::string>(event.at("actor")));
    const std::string target = names.find(boost::json::value_to<std::string>(event.at("target")));
    if (common.json) {
        if (!actor.empty()) event["actor_name"] = actor;
        if (!target.empty()) event["target_name"] = target;
        return print_line(event);
    }
    std::cout << shown(event, "at") << "  "
              << (actor.empty() ? shown(event, "actor") : escape_control(actor)) << "  "
              << shown(event, "action") << "  ";
    if (!target.empty()) std::cout << escape_control(target) << "  ";
    std::cout << shown(event, "target") << "  (" << shown(event, "address") << ", "
              << shown(event, "request_id") << ")\n";
}

// "12h" is 12 hours ago; the server parses other texts.
std::string time_of(const std::string& text)
{
    const auto ago = read_duration(text);
    return ago ? rfc3339(system_clock().now() - *ago) : text;
}

// The id of the user with this name; any other text stays as it is.
Result<std::string> id_of(ApiClient& api, const std::string& text)
{
    const auto user = find_user(api, text);
    if (user) return boost::json::value_to<std::string>(user->at("id"));
    if (user.error().code == Errc::not_found) return text;
    return user.error();
}

Result<std::string> target_of(ApiClient& api, const AuditArguments& asked)
{
    std::string target = "/v1/api/audit";
    const auto add = [&target](const char* name, const std::string& value) {
        target.append(target.find('?') == target.npos ? "?" : "&");
        target.append(name).append("=").append(api::percent_encode(value));
    };
    for (const auto& [name, who] : {std::pair("actor", &asked.actor), {"target", &asked.target}}) {
        if (who->empty()) continue;
        const auto id = id_of(api, *who);
        if (!id) return id.error();
        add(name, *id);
    }
    if (!asked.action.empty()) add("action", asked.action);
    if (!asked.since.empty()) add("since", time_of(asked.since));
    if (!asked.before.empty()) add("before", time_of(asked.before));
    return target;
}

Result<> list_events(const AuditArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto target = target_of(*api, asked);
    if (!target) return target.error();
    AuditNames names(*api);
    return for_each_item(*api, *target, asked.limit, [&](const boost::json::object& event) {
        print_event(event, names, common);
        return true;
    });
}

Result<> leave_note(const AuditArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto event = api->ask("POST", "/v1/api/audit", {{"note", asked.note}});
    if (!event) return event.error();
    AuditNames names(*api);
    print_event(*event, names, common);
    return {};
}

}  // namespace

Run describe_audit(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<AuditArguments>();
    command.add_option("--limit", asked->limit, "Number of events, newest first [20]")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    const auto text = [&](const char* name, std::string& into, const char* meaning,
                          const char* type) {
        command.add_option(name, into, meaning)->type_name(type);
    };
    text("--actor", asked->actor, "Only actions of this user", "NAME|ID");
    text("--action", asked->action, "Only this action, such as token.created", "ACTION");
    text("--target", asked->target, "Only actions on this user or object", "NAME|ID");
    text("--since", asked->since, "Not older than this: a time, or 12h, 7d", "TIME");
    text("--until,--before", asked->before, "Older than this: a time, or 12h, 7d", "TIME");
    CLI::App* note = command.add_subcommand("note", "Add a note to the audit log.");
    note->add_option("TEXT", asked->note, "Text of the note")->required();
    note->footer("Examples:\n  parley audit note \"Upgraded to 1.4.2\"");
    command.footer(
        "Examples:\n"
        "  parley audit --limit 100\n"
        "  parley audit --actor ana --since 7d\n"
        "  parley audit --action token.created --since 2026-01-31T00:00:00Z --until 12h\n"
        "  parley audit --json | jq .action\n"
        "  parley audit note \"Upgraded to 1.4.2\"");
    return [asked, note, &common] {
        const auto done = note->parsed() ? leave_note(*asked, common) : list_events(*asked, common);
        return done ? succeeded : complain(done.error().message, failed, common);
    };
}

}  // namespace parley::cli
