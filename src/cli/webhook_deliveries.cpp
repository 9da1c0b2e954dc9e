// `parley webhook`: what was sent, and sending again.
#include "api/target.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"
#include "cli/webhook_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace parley::cli {
namespace {

// An attempt may take 15 s; a test waits for it no longer than this.
constexpr std::chrono::seconds patience{30};
constexpr std::chrono::milliseconds first_look{50};
constexpr std::chrono::milliseconds longest_between_looks{1000};

// "500", "timeout", or nothing before the first attempt.
std::string last_outcome(const boost::json::object& delivery)
{
    const auto& attempts = delivery.at("attempts").as_array();
    if (attempts.empty()) return {};
    const auto& last = attempts.back().as_object();
    if (const auto* status = last.at("status").if_int64()) return std::to_string(*status);
    return shown(last, "error");
}

void print_delivery(const boost::json::object& delivery, const Common& common)
{
    if (common.json) return print_line(delivery);
    const std::string outcome = last_outcome(delivery);
    const std::string next = shown(delivery, "next_attempt_at");
    std::cout << shown(delivery, "created_at") << "  " << shown(delivery, "event_type") << "  "
              << shown(delivery, "status") << "  " << (outcome.empty() ? "-" : outcome);
    if (!outcome.empty() && !next.empty()) std::cout << "  next " << next;
    std::cout << "  " << shown(delivery, "id") << '\n';
}

std::string path_of_delivery(const boost::json::object& webhook, std::string_view delivery)
{
    return path_of_webhook(webhook) + "/deliveries/" + api::percent_encode(delivery);
}

Result<> list_deliveries(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto webhook = opened->find(asked.webhook);
    if (!webhook) return webhook.error();
    std::string target = path_of_webhook(*webhook) + "/deliveries";
    if (!asked.status.empty()) target += "?status=" + asked.status;
    return for_each_item(opened->client, target, asked.limit, [&](const boost::json::object& each) {
        print_delivery(each, common);
        return true;
    });
}

Result<> redeliver(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto webhook = opened->find(asked.webhook);
    if (!webhook) return webhook.error();
    const auto queued =
        opened->client.ask("POST", path_of_delivery(*webhook, asked.delivery) + "/redeliver");
    if (!queued) return queued.error();
    print_delivery(*queued, common);
    return {};
}

Result<> replay(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto webhook = opened->find(asked.webhook);
    if (!webhook) return webhook.error();
    boost::json::object body{{"after", asked.after}, {"only_failed", !asked.all}};
    if (asked.until) body["until"] = *asked.until;
    const auto queued = opened->client.ask("POST", path_of_webhook(*webhook) + "/replay", body);
    if (!queued) return queued.error();
    if (common.json)
        print_line(*queued);
    else
        std::cout << "Queued " << queued->at("count").as_int64() << " deliveries, up to event "
                  << queued->at("until").as_int64() << ".\n";
    return {};
}

// Looks until an attempt was made, less and less often.
Result<boost::json::object> wait_for_attempt(WebhookAccess& opened, const std::string& path,
                                             boost::json::object delivery)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::chrono::milliseconds pause = first_look;
    while (delivery.at("attempts").as_array().empty()) {
        std::this_thread::sleep_for(pause);
        if (Interruption::was_asked_for())
            return Error{Errc::internal, "Stopped waiting; the event will still be sent."};
        if (std::chrono::steady_clock::now() > deadline)
            return Error{Errc::internal, "The event is still waiting to be sent."};
        pause = std::min(pause * 2, longest_between_looks);
        auto now = opened.client.ask("GET", path);
        if (!now) return now.error();
        delivery = std::move(*now);
    }
    return delivery;
}

Result<> test(const WebhookArguments& asked, const Common& common)
{
    auto opened = open_webhooks(asked, common);
    if (!opened) return opened.error();
    const auto webhook = opened->find(asked.webhook);
    if (!webhook) return webhook.error();
    const auto queued = opened->client.ask("POST", path_of_webhook(*webhook) + "/test");
    if (!queued) return queued.error();
    const auto id = boost::json::value_to<std::string>(queued->at("id"));
    const auto sent = wait_for_attempt(*opened, path_of_delivery(*webhook, id), *queued);
    if (!sent) return sent.error();
    print_delivery(*sent, common);
    if (shown(*sent, "status") == "succeeded") return {};
    return Error{Errc::internal,
                 "The endpoint did not accept the event: " + last_outcome(*sent) + "."};
}

}  // namespace

void add_delivery_subcommands(Subcommands<WebhookArguments>& verbs)
{
    WebhookArguments& asked = verbs.asked();
    const auto verb = [&](const char* name, const char* summary, const char* examples,
                          Subcommands<WebhookArguments>::Act act) {
        CLI::App* added = verbs.add(name, summary, examples, act);
        added->add_option("WEBHOOK", asked.webhook, "Id, whk_…, or URL")->required();
        return added;
    };
    verb("test", "Send a test event (webhook.test) and print the result.",
         "  parley webhook test https://example.org/parley", test);
    CLI::App* listing =
        verb("deliveries", "List the deliveries of a webhook, newest first.",
             "  parley webhook deliveries https://example.org/parley\n"
             "  parley webhook deliveries https://example.org/parley --status failed --json",
             list_deliveries);
    listing->add_option("--status", asked.status, "pending, succeeded or failed")
        ->check(CLI::IsMember({"pending", "succeeded", "failed"}));
    listing->add_option("--limit", asked.limit, "Number of deliveries [20]")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    verb("redeliver", "Send one event again; if it fails, all retries follow again.",
         "  parley webhook redeliver https://example.org/parley dlv_01J9ZQ8R0000000000000000AB",
         redeliver)
        ->add_option("DELIVERY", asked.delivery, "Id, dlv_…")
        ->required();
    CLI::App* replaying =
        verb("replay", "Send events again that failed, or that were never queued.",
             "  parley webhook replay https://example.org/parley --after 40\n"
             "  parley webhook replay https://example.org/parley --after 40 --until 80 --all",
             replay);
    replaying->add_option("--after", asked.after, "Events after this number [0]")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    replaying->add_option("--until", asked.until, "Events up to this number [the newest]")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    replaying->add_flag("--all", asked.all, "Also events that were delivered");
}

}  // namespace parley::cli
