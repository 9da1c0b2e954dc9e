#include "api/target.hpp"
#include "cli/event_stream.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>

namespace parley::cli {
namespace {

struct EventArguments {
    std::string user;
    bool test = false;
    bool follows = false;
    std::optional<std::int64_t> after;
    std::vector<std::string> types;
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
};

// False if the output cannot be written.
bool print_event(const boost::json::object& event, const Common& common)
{
    if (common.json) {
        print_line(event);
    } else {
        const auto& data = event.at("data").as_object();
        std::cout << event.at("sequence_number").as_int64() << "  " << shown(event, "timestamp")
                  << "  " << shown(event, "type") << "  " << shown(data, "id");
        for (const char* name : {"session_id", "automation_id"})
            if (const std::string id = shown(data, name); !id.empty()) std::cout << "  " << id;
        std::cout << '\n';
    }
    return static_cast<bool>(std::cout);
}

// "a,b": the separate words of --types may have commas, too.
std::string joined(const std::vector<std::string>& types)
{
    std::string all;
    for (const std::string& each : types) all += (all.empty() ? "" : ",") + each;
    return all;
}

std::string start_of(const EventArguments& asked, const char* otherwise)
{
    return asked.after ? std::to_string(*asked.after) : otherwise;
}

Result<> list_events(const UserAccess& access, const EventArguments& asked, const Common& common)
{
    auto client = access.client();
    if (!client) return client.error();
    std::string target = "/v1/api/events";
    if (!asked.types.empty()) target += "?types=" + api::percent_encode(joined(asked.types));
    return for_each_item(
        *client, target, asked.limit,
        [&common](const boost::json::object& event) {
            return print_event(event, common) && !Interruption::was_asked_for();
        },
        start_of(asked, ""));
}

Result<> follow_events(const UserAccess& access, const EventArguments& asked, const Common& common)
{
    FollowedEvents events{
        .access = access,
        .types = joined(asked.types),
        .after = start_of(asked, "latest"),
        .hear =
            [&common, left = asked.limit](const boost::json::object& event) mutable {
                return print_event(event, common) && std::cout.flush() && --left > 0;
            },
        .tell = [](const std::string& text) { std::cerr << for_terminal(text) << '\n'; }};
    return events.follow();
}

Result<> show_events(const EventArguments& asked, const Common& common)
{
    const auto access =
        open_user_access(common, {.user = asked.user,
                                  .name = "parley events",
                                  .scopes = {"chat:read", "automation:read", "account"},
                                  .test = asked.test});
    if (!access) return access.error();
    return asked.follows ? follow_events(*access, asked, common)
                         : list_events(*access, asked, common);
}

}  // namespace

Run describe_events(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<EventArguments>();
    command.add_flag("-f,--follow", asked->follows, "Print new events until Ctrl-C");
    command
        .add_option("--after", asked->after,
                    "Only events after this number [all that are kept; with -f: new ones]")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--types", asked->types,
                    "Such as automation.*,chat.run.completed; may be repeated")
        ->type_name("TYPES")
        ->expected(1)
        ->take_all();
    command.add_option("--limit", asked->limit, "Stop after this number of events")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    command.add_option("--user", asked->user, "User of the events [the only user]")
        ->type_name("NAME");
    command.add_flag("--test", asked->test, "Events of test mode");
    command.footer(
        "Needs a running server: the one on the data directory, or the one at --url. With -f a\n"
        "lost connection is resumed after the last event.\n\n"
        "Examples:\n"
        "  parley events --after 40\n"
        "  parley events -f\n"
        "  parley events -f --types \"automation.run.*\" --json");
    return [asked, &common] {
        const Interruption interruption;  // A temporary token is revoked first.
        const auto done = show_events(*asked, common);
        if (Interruption::was_asked_for()) return interrupted;
        return done ? succeeded : complain(done.error().message, failed, common);
    };
}

}  // namespace parley::cli
