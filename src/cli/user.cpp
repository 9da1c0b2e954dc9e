#include "cli/chat_turn.hpp"
#include "cli/confirm.hpp"
#include "cli/find_user.hpp"
#include "cli/output.hpp"
#include "cli/password.hpp"
#include "cli/subcommands.hpp"
#include "domain/own_limits.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

namespace parley::cli {
namespace {

struct UserArguments {
    std::string name;
    std::string role = "member";
    std::string display_name;
    bool password_stdin = false;
    bool keep_tokens = false;
    bool yes = false;
    std::string chat;
    std::string general;
    std::string automation;
};

void print_user(const boost::json::object& user, const Common& common)
{
    if (common.json) return print_line(user);
    const auto& limits = user.at("limits").as_object();
    const bool disabled = user.at("disabled").as_bool();
    std::cout << shown(user, "username") << "  " << shown(user, "role") << "  "
              << (disabled ? "disabled" : "active") << "  " << shown(user, "id");
    for (const char* name : {"chat", "general", "automation"})
        if (limits.at(name).is_int64()) std::cout << "  " << name << "=" << limits.at(name);
    std::cout << "\n";
}

Result<> add_user(const UserArguments& asked, const Common& common)
{
    auto password = read_new_password(asked.password_stdin);
    if (!password) return password.error();
    auto reached = reach(common, IfMissing::make);
    if (!reached) return reached.error();
    boost::json::object body{
        {"username", asked.name}, {"password", password->reveal()}, {"role", asked.role}};
    if (!asked.display_name.empty()) body["display_name"] = asked.display_name;
    const auto user = reached->ask("POST", "/v1/api/users", body);
    if (!user) return user.error();
    print_user(*user, common);
    return {};
}

Result<> list_users(const UserArguments& /*asked*/, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    return for_each_item(*reached, "/v1/api/users", std::numeric_limits<std::int64_t>::max(),
                         [&common](const boost::json::object& user) {
                             print_user(user, common);
                             return true;
                         });
}

std::string path_of(const boost::json::object& user)
{
    return "/v1/api/users/" + boost::json::value_to<std::string>(user.at("id"));
}

Result<> change(const UserArguments& asked, const Common& common, const boost::json::object& change)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    const auto user = find_user(*reached, asked.name);
    if (!user) return user.error();
    const auto done = reached->ask("PATCH", path_of(*user), change);
    if (!done) return done.error();
    print_user(*done, common);
    return {};
}

Result<> disable(const UserArguments& asked, const Common& common)
{
    return change(asked, common, {{"disabled", true}});
}
Result<> enable(const UserArguments& asked, const Common& common)
{
    return change(asked, common, {{"disabled", false}});
}
Result<> set_role(const UserArguments& asked, const Common& common)
{
    return change(asked, common, {{"role", asked.role}});
}

Result<> remove_user(const UserArguments& asked, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    const auto user = find_user(*reached, asked.name);
    if (!user) return user.error();
    if (!asked.yes)
        if (const auto confirmed =
                confirm("Remove " + shown(*user, "username") + " (" + shown(*user, "role") +
                        ") with all sessions, messages and tokens?");
            !confirmed)
            return confirmed;
    if (const auto done = reached->ask("DELETE", path_of(*user)); !done) return done.error();
    if (common.json)
        print_line(*user);
    else
        std::cout << "Removed " << shown(*user, "username") << " (" << shown(*user, "id")
                  << ") with all sessions, messages and tokens.\n";
    return {};
}
Result<> set_password(const UserArguments& asked, const Common& common)
{
    const auto password = read_new_password(asked.password_stdin);
    if (!password) return password.error();
    boost::json::object body{{"password", password->reveal()}};
    if (asked.keep_tokens) body["keep_tokens"] = true;
    return change(asked, common, body);
}

// "300" is a number; "server" selects the server's own limit.
Result<boost::json::value> limit_of(const std::string& text)
{
    if (text == "server") return boost::json::value();
    std::int64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, number);
    if (failure != std::errc() || end != last || number < 1 || number > most_own_limit)
        return Error{
            Errc::invalid_request,
            "A limit is a number from 1 to 1000, or `server` for the server's limit, not " + text +
                "."};
    return boost::json::value(number);
}

Result<> set_limits(const UserArguments& asked, const Common& common)
{
    boost::json::object limits;
    for (const auto& [name, text] : {std::pair("chat", &asked.chat),
                                     {"general", &asked.general},
                                     {"automation", &asked.automation}}) {
        if (text->empty()) continue;
        auto limit = limit_of(*text);
        if (!limit) return limit.error();
        limits[name] = std::move(*limit);
    }
    // Without options, an empty change shows the current limits.
    return change(asked, common, {{"limits", std::move(limits)}});
}

Result<> invite(const UserArguments& asked, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    const auto user = find_user(*reached, asked.name);
    if (!user) return user.error();
    const auto invited = reached->ask("POST", path_of(*user) + "/invite");
    if (!invited) return invited.error();
    if (common.json) {
        print_line(*invited);
        return {};
    }
    // Without server.public_url the link is a path: on the server at --url, or on the local one.
    const std::string link = shown(invited->at("invitation").as_object(), "url");
    std::string address = common.url;
    if (address.empty())
        if (const auto server = place_of_server(reached->paths)) address = server->url;
    std::cout << (link.starts_with('/') ? address : "") << link << "\n";
    return {};
}

}  // namespace

Run describe_user(CLI::App& command, const Common& common)
{
    Subcommands<UserArguments> verbs(command);
    UserArguments& asked = verbs.asked();
    const auto verb = [&](const char* name, const char* summary, const char* examples,
                          Subcommands<UserArguments>::Act act) {
        CLI::App* added = verbs.add(name, summary, examples, act);
        added->add_option("NAME", asked.name, "User name for logging in")->required();
        return added;
    };
    CLI::App* adding = verb("add", "Create a user.",
                            "  parley user add ana --role operator\n"
                            "  parley user add bot --password-stdin < password.txt",
                            add_user);
    const CLI::IsMember roles({"member", "operator"});
    adding->add_option("--role", asked.role, "member or operator [member]")->check(roles);
    adding->add_option("--display-name", asked.display_name, "Display name")->type_name("TEXT");
    verbs.add("list", "List all users.",
              "  parley user list\n"
              "  parley user list --json",
              list_users);
    verb("disable", "Disable a user at once.", "  parley user disable ana", disable);
    verb("enable", "Enable a user again.", "  parley user enable ana", enable);
    CLI::App* changing =
        verb("passwd", "Set a user's password; ends their logins and tokens.",
             "  parley user passwd ana\n"
             "  parley user passwd bot --password-stdin --keep-tokens < password.txt",
             set_password);
    changing->add_flag("--keep-tokens", asked.keep_tokens, "Keep personal and test tokens");
    CLI::App* limiting = verb("limits", "Set a user's own limits per minute.",
                              "  parley user limits gateway --chat 300\n"
                              "  parley user limits gateway --automation 100\n"
                              "  parley user limits gateway --chat server",
                              set_limits);
    limiting->add_option("--chat", asked.chat, "AI chat: 1 to 1000, or `server`")->type_name("N");
    limiting->add_option("--general", asked.general, "General: 1 to 1000, or `server`")
        ->type_name("N");
    limiting
        ->add_option("--automation", asked.automation,
                     "Runs started by automations: 1 to 1000, or `server`")
        ->type_name("N");
    verb("invite", "Print a one-time link to set a user's password.", "  parley user invite ana",
         invite);
    verb("role", "Make a user a member or an operator.", "  parley user role ana operator",
         set_role)
        ->add_option("ROLE", asked.role, "member or operator")
        ->check(roles)
        ->required();
    verb("remove", "Remove a user and all of their data.",
         "  parley user remove ana\n"
         "  parley user remove ana --yes",
         remove_user)
        ->add_flag("--yes", asked.yes, "Do not ask for confirmation");
    for (CLI::App* each : {adding, changing})
        each->add_flag("--password-stdin", asked.password_stdin,
                       "Read the password from standard input");
    command.footer(
        "`parley user add` creates the data directory if there is none.\n\n"
        "Examples:\n"
        "  parley user add ana --role operator\n"
        "  parley user add bot --password-stdin < password.txt\n"
        "  parley user role ana member\n"
        "  parley user remove ana --yes\n"
        "  parley user limits gateway --chat 300");
    return verbs.run(common);
}

}  // namespace parley::cli
