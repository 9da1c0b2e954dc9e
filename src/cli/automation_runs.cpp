// The subcommands of `parley automation` about runs.
#include "api/target.hpp"
#include "cli/automation_arguments.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace parley::cli {
namespace {

using namespace std::chrono_literals;

constexpr const char* runs_path = "/v1/api/automation_runs";
constexpr auto first_look = 100ms;
constexpr std::chrono::milliseconds longest_between_looks = 2s;

std::string path_of_run(const std::string& run)
{
    return std::string(runs_path) + "/" + api::percent_encode(run);
}

bool has_ended(const boost::json::object& row)
{
    const std::string_view status = row.at("status").as_string();
    return status != "queued" && status != "running" && status != "waiting";
}

// The error of a row, or why it was skipped.
std::string reason_of(const boost::json::object& row)
{
    if (const auto* error = row.if_contains("error"); error && error->is_object())
        return shown(error->as_object(), "detail");
    return shown(row, "skip_reason");
}

void print_row(const boost::json::object& row, const Common& common)
{
    if (common.json) return print_line(row);
    const std::string reason = reason_of(row);
    std::cout << shown(row, "scheduled_for") << "  " << shown(row, "status") << "  "
              << shown(row, "trigger") << "  " << shown(row, "id")
              << (reason.empty() ? "" : "  " + reason) << '\n';
}

// The text of the answer; empty if there is none.
std::string answer_of(const boost::json::object& row)
{
    const auto* run = row.if_contains("run");
    const auto* message =
        run && run->is_object() ? run->as_object().if_contains("message") : nullptr;
    if (!message || !message->is_object()) return {};
    std::string text;
    for (const auto& part : message->as_object().at("content").as_array())
        if (const auto* each = part.as_object().if_contains("text"))
            text += boost::json::value_to<std::string>(*each);
    return text;
}

// Looks until the row has ended, less and less often.
Result<boost::json::object> wait_for_end(AutomationAccess& opened, boost::json::object row)
{
    const std::string path = path_of_run(boost::json::value_to<std::string>(row.at("id")));
    std::chrono::milliseconds pause = first_look;
    while (!has_ended(row)) {
        std::this_thread::sleep_for(pause);
        if (Interruption::was_asked_for())
            return Error{Errc::internal, "Stopped waiting; the run continues."};
        pause = std::min(pause * 2, longest_between_looks);
        auto now = opened.client.ask("GET", path);
        if (!now) return now.error();
        row = std::move(*now);
    }
    // The row of a response to a request that started it has no run.
    return opened.client.ask("GET", path);
}

Result<> print_end(AutomationAccess& opened, const boost::json::object& row, const Common& common)
{
    const auto ended = wait_for_end(opened, row);
    if (!ended) return ended.error();
    if (common.json)
        print_line(*ended);
    else if (const std::string answer = answer_of(*ended); !answer.empty())
        std::cout << for_terminal(answer) << '\n';
    const std::string status = shown(*ended, "status");
    if (status == "completed") return {};
    const std::string reason = reason_of(*ended);
    return Error{Errc::internal,
                 "The run ended with status " + status + (reason.empty() ? "." : ": " + reason)};
}

Result<boost::json::object> body_of(const AutomationArguments& asked)
{
    boost::json::object body;
    if (!asked.inputs.empty()) {
        auto inputs = read_json(asked.inputs);
        if (!inputs) return inputs.error();
        body["inputs"] = std::move(*inputs);
    }
    if (!asked.key.empty()) body["key"] = asked.key;
    boost::json::object variables;
    for (const std::string& each : asked.values) {
        const Assignment given = read_assignment(each);
        if (!given.value)
            return Error{Errc::invalid_request, "--variable takes NAME=TEXT, not " + each + "."};
        variables[given.name] = *given.value;
    }
    if (!variables.empty() || body.empty()) body["variables"] = std::move(variables);
    return body;
}

Result<> run_now(const AutomationArguments& asked, const Common& common)
{
    const auto body = body_of(asked);
    if (!body) return body.error();
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto automation = opened->find(asked.automation);
    if (!automation) return automation.error();
    const auto started =
        opened->client.ask("POST", path_of_automation(*automation) + "/runs", *body);
    if (!started) return started.error();
    if (!started->contains("data")) {
        if (!asked.no_wait) return print_end(*opened, *started, common);
        print_row(*started, common);
        return {};
    }
    for (const auto& each : started->at("data").as_array()) print_row(each.as_object(), common);
    return {};
}

Result<> list_runs(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    std::string target = runs_path;
    if (!asked.automation.empty()) {
        const auto automation = opened->find(asked.automation);
        if (!automation) return automation.error();
        target = path_of_automation(*automation) + "/runs";
    }
    char separator = '?';
    for (const auto& [name, text] : {std::pair("status", &asked.status),
                                     {"trigger", &asked.trigger},
                                     {"batch", &asked.batch}}) {
        if (text->empty()) continue;
        target.append(1, separator).append(name).append("=").append(api::percent_encode(*text));
        separator = '&';
    }
    return for_each_item(opened->client, target, asked.limit, [&](const boost::json::object& each) {
        print_row(each, common);
        return true;
    });
}

Result<> cancel_run(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto row = opened->client.ask("POST", path_of_run(asked.run) + "/cancel");
    if (!row) return row.error();
    print_row(*row, common);
    return {};
}

Result<> retry_run(const AutomationArguments& asked, const Common& common)
{
    auto opened = open_automations(asked, common);
    if (!opened) return opened.error();
    const auto row = opened->client.ask("POST", path_of_run(asked.run) + "/retry");
    if (!row) return row.error();
    if (!asked.no_wait) return print_end(*opened, *row, common);
    print_row(*row, common);
    return {};
}

}  // namespace

void add_run_subcommands(Subcommands<AutomationArguments>& verbs)
{
    AutomationArguments& asked = verbs.asked();
    CLI::App* running =
        verbs.add("run", "Run an automation now and print the answer.",
                  "  parley automation run Digest\n"
                  "  parley automation run Digest --variable reader=Ben --key ben-1\n"
                  "  parley automation run Digest --inputs inputs.json",
                  run_now);
    running->add_option("AUTOMATION", asked.automation, "Id, aut_…, or name")->required();
    running->add_option("--variable", asked.values, "Value for a variable; may be repeated")
        ->type_name("NAME=TEXT")
        ->expected(1)
        ->take_all();
    running
        ->add_option("--key", asked.key,
                     "Idempotency key: a key that was used before gives its run again")
        ->type_name("TEXT");
    running
        ->add_option("--inputs", asked.inputs,
                     "JSON array of {\"key\", \"variables\"}, one run each; `-`: standard input")
        ->type_name("FILE");
    CLI::App* listing = verbs.add("runs", "List runs, newest first.",
                                  "  parley automation runs\n"
                                  "  parley automation runs Digest --status failed --limit 100",
                                  list_runs);
    listing->add_option("AUTOMATION", asked.automation, "Id, aut_…, or name [all automations]");
    listing->add_option("--status", asked.status, "Such as completed, failed, skipped or missed")
        ->check(CLI::IsMember({"queued", "running", "waiting", "completed", "failed", "cancelled",
                               "skipped", "missed"}));
    listing->add_option("--trigger", asked.trigger, "schedule, event, hook or manual")
        ->check(CLI::IsMember({"schedule", "event", "hook", "manual"}));
    listing->add_option("--batch", asked.batch, "Runs of one batch, bat_…")->type_name("ID");
    listing->add_option("--limit", asked.limit, "Number of runs [20]")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    CLI::App* cancelling =
        verbs.add("cancel", "Cancel a run.",
                  "  parley automation cancel aru_01J9ZQ8R0000000000000000AB", cancel_run);
    CLI::App* retrying =
        verbs.add("retry", "Try a failed, skipped or missed run again.",
                  "  parley automation retry aru_01J9ZQ8R0000000000000000AB", retry_run);
    for (CLI::App* each : {cancelling, retrying})
        each->add_option("RUN", asked.run, "The run's id, aru_…")->required();
    for (CLI::App* each : {running, retrying})
        each->add_flag("--no-wait", asked.no_wait, "Print the run and do not wait for its end");
}

}  // namespace parley::cli
