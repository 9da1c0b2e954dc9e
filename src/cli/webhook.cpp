#include "api/target.hpp"
#include "cli/confirm.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"
#include "cli/webhook_arguments.hpp"

#include <iostream>
#include <limits>

namespace parley::cli {
namespace {

constexpr const char* webhooks_path = "/v1/api/webhooks";

// "disabled (gone)"
std::string state_text(const boost::json::object& webhook)
{
    const std::string reason = shown(webhook, "disabled_reason");
    return shown(webhook, "state") + (reason.empty() ? "" : " (" + reason + ")");
}

std::string types_text(const boost::json::object& webhook)
{
    std::string text;
    for (const auto& each : webhook.at("event_types").as_array())
        text.append(text.empty() ? "" : ", ").append(each.as_string());
    return for_terminal(text);
}

void print_webhook(const boost::json::object& webhook, const Common& common)
{
    if (common.json) return print_line(webhook);
    std::cout << shown(webhook, "url") << "  " << state_text(webhook) << "  "
              << shown(webhook, "id") << '\n';
}

// With its secret, which is shown only when it was made.
void print_with_secret(const boost::json::object& webhook, const Common& common)
{
    print_webhook(webhook, common);
    if (!common.json) std::cout << shown(webhook, "secret") << '\n';
}

void print_whole(const boost::json::object& webhook, const Common& common)
{
    if (common.json) return print_line(webhook);
    const auto line = [](const char* label, const std::string& text) {
        if (!text.empty()) std::cout << "  " << label << text << '\n';
    };
    std::cout << shown(webhook, "url") << '\n';
    line("id            ", shown(webhook, "id"));
    line("state         ", state_text(webhook));
    line("description   ", shown(webhook, "description"));
    line("events        ", types_text(webhook));
    line("payload       ", shown(webhook, "payload"));
    line("ordered       ", webhook.at("ordered").as_bool() ? "yes" : "no");
    line("secret        ", shown(webhook, "secret_hint"));
    line("last success  ", shown(webhook, "last_success_at"));
    line("last failure  ", shown(webhook, "last_failure_at"));
    line("created       ", shown(webhook, "created_at"));
}

Result<> list_webhooks(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    return for_each_item(opened->client, webhooks_path, std::numeric_limits<std::int64_t>::max(),
                         [&common](const boost::json::object& each) {
                             print_webhook(each, common);
                             return true;
                         });
}

Result<> show(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.webhook);
    if (!found) return found.error();
    print_whole(*found, common);
    return {};
}

Result<> add(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    boost::json::object body{{"url", asked.url},
                             {"event_types", boost::json::value_from(asked.types)}};
    if (!asked.payload.empty()) body["payload"] = asked.payload;
    if (asked.ordered) body["ordered"] = true;
    if (!asked.description.empty()) body["description"] = asked.description;
    const auto made = opened->client.ask("POST", webhooks_path, body);
    if (!made) return made.error();
    print_with_secret(*made, common);
    return {};
}

Result<> set_state(const WebhookArguments& asked, const Common& common, const char* state)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.webhook);
    if (!found) return found.error();
    const auto changed = opened->client.ask("PATCH", path_of_webhook(*found), {{"state", state}});
    if (!changed) return changed.error();
    print_webhook(*changed, common);
    return {};
}
Result<> enable(const WebhookArguments& asked, const Common& common)
{
    return set_state(asked, common, "active");
}
Result<> disable(const WebhookArguments& asked, const Common& common)
{
    return set_state(asked, common, "disabled");
}

Result<> rotate(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.webhook);
    if (!found) return found.error();
    const auto made = opened->client.ask("POST", path_of_webhook(*found) + "/rotate",
                                         {{"overlap_s", asked.overlap_s}});
    if (!made) return made.error();
    print_with_secret(*made, common);
    return {};
}

Result<> remove(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto found = opened->find(asked.webhook);
    if (!found) return found.error();
    if (!asked.yes)
        if (const auto confirmed =
                confirm("Remove the webhook " + shown(*found, "url") + " and its deliveries?");
            !confirmed)
            return confirmed;
    const auto done = opened->client.ask("DELETE", path_of_webhook(*found));
    if (!done) return done.error();
    if (common.json)
        print_line(*found);
    else
        std::cout << "Removed " << shown(*found, "url") << " (" << shown(*found, "id") << ").\n";
    return {};
}

void add_creation(Subcommands<WebhookArguments>& verbs)
{
    WebhookArguments& asked = verbs.asked();
    CLI::App* adding =
        verbs.add("add", "Create a webhook and print its secret (once).",
                  "  parley webhook add https://example.org/parley --types \"automation.run.*\"\n"
                  "  parley webhook add https://example.org/parley --types chat.run.completed \\\n"
                  "      --payload full --ordered",
                  add);
    adding->add_option("URL", asked.url, "URL to send the events to")->required();
    adding
        ->add_option("--types", asked.types,
                     "Such as automation.run.* or chat.run.completed; may be repeated")
        ->type_name("TYPE")
        ->required()
        ->expected(1)
        ->delimiter(',')
        ->take_all();
    adding
        ->add_option("--payload", asked.payload,
                     "thin: the event [thin]; full: also the object that it is about")
        ->check(CLI::IsMember({"thin", "full"}));
    adding->add_flag("--ordered", asked.ordered, "Send one event at a time, strictly in order");
    adding->add_option("--description", asked.description, "Description")->type_name("TEXT");
}

}  // namespace

Result<WebhookAccess> open_webhooks(const WebhookArguments& asked, const Common& common)
{
    // A webhook hears only events that the token which creates it may read.
    auto access = open_user_access(
        common, {.user = asked.user,
                 .name = "parley webhook",
                 .scopes = {"automation:read", "automation:write", "chat:read", "account"},
                 .test = asked.test});
    if (!access) return access.error();
    auto client = access->client();
    if (!client) return client.error();
    return WebhookAccess{std::move(*access), std::move(*client)};
}

std::string path_of_webhook(const boost::json::object& webhook)
{
    return std::string(webhooks_path) + "/" + boost::json::value_to<std::string>(webhook.at("id"));
}

Result<boost::json::object> WebhookAccess::find(const std::string& webhook)
{
    if (webhook.starts_with("whk_"))
        return client.ask("GET", std::string(webhooks_path) + "/" + api::percent_encode(webhook));
    std::vector<boost::json::object> found;
    const auto looked =
        for_each_item(client, webhooks_path, std::numeric_limits<std::int64_t>::max(),
                      [&](const boost::json::object& each) {
                          if (each.at("url").as_string() == webhook) found.push_back(each);
                          return found.size() < 2;
                      });
    if (!looked) return looked.error();
    if (found.empty())
        return Error{Errc::not_found, "There is no webhook with the URL " + webhook + "."};
    if (found.size() > 1)
        return Error{Errc::not_found, "Several webhooks have the URL " + webhook +
                                          ": give the id, see `parley webhook list`."};
    return std::move(found.front());
}

Run describe_webhook(CLI::App& command, const Common& common)
{
    Subcommands<WebhookArguments> verbs(command);
    WebhookArguments& asked = verbs.asked();
    command.add_option("--user", asked.user, "User of the webhooks [the only user]")
        ->type_name("NAME");
    command.add_flag("--test", asked.test, "Webhooks of test mode");
    const auto verb = [&](const char* name, const char* summary, const char* examples,
                          Subcommands<WebhookArguments>::Act act) {
        CLI::App* added = verbs.add(name, summary, examples, act);
        added->add_option("WEBHOOK", asked.webhook, "Id, whk_…, or URL")->required();
        return added;
    };
    verbs.add("list", "List webhooks, newest first.", "  parley webhook list", list_webhooks);
    verb("show", "Show one webhook.", "  parley webhook show https://example.org/parley", show);
    add_creation(verbs);
    verb("enable", "Enable a webhook: it receives the events from now on.",
         "  parley webhook enable https://example.org/parley", enable);
    verb("disable", "Disable a webhook: nothing is queued or sent.",
         "  parley webhook disable https://example.org/parley", disable);
    verb("rotate", "Replace the secret of a webhook and print the new one (once).",
         "  parley webhook rotate https://example.org/parley\n"
         "  parley webhook rotate https://example.org/parley --overlap 600",
         rotate)
        ->add_option("--overlap", asked.overlap_s,
                     "Seconds for which events are also signed with the old secret [86400]")
        ->type_name("S");
    verb("remove", "Remove a webhook and its deliveries.",
         "  parley webhook remove https://example.org/parley --yes", remove)
        ->add_flag("--yes", asked.yes, "Do not ask for confirmation");
    add_delivery_subcommands(verbs);
    command.footer(
        "Needs a running server: the one on the data directory, or the one at --url.\n\n"
        "Examples:\n"
        "  parley webhook add https://example.org/parley --types \"automation.run.*\"\n"
        "  parley webhook test https://example.org/parley\n"
        "  parley webhook deliveries https://example.org/parley --status failed");
    return [run = verbs.run(common)] {
        const Interruption interruption;  // A temporary token is revoked first.
        return run();
    };
}

}  // namespace parley::cli
