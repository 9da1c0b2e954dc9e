#include "cli/chat_turn.hpp"
#include "cli/confirm.hpp"
#include "cli/find_user.hpp"
#include "cli/output.hpp"
#include "cli/password.hpp"
#include "cli/subcommands.hpp"
#include "cli/user_limits.hpp"

#include <CLI/CLI.hpp>
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
    LimitOptions limits;
    std::string budget;
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
    const auto* const budget = user.if_contains("budget");  // Older servers send none.
    const auto* const tokens =
        budget ? budget->as_object().if_contains("output_tokens_per_day") : nullptr;
    if (tokens && tokens->is_int64()) std::cout << "  budget=" << *tokens;
    std::cout << "\n";
}

Result<> add_user(const UserArguments& asked, const Common& common)
{
    auto password = read_new_password(asked.password_stdin);
    if (!password) return password.error();
    auto api = connect(common, IfMissing::make);
    if (!api) return api.error();
    boost::json::object body{
        {"username", asked.name}, {"password", password->reveal()}, {"role", asked.role}};
    if (!asked.display_name.empty()) body["display_name"] = asked.display_name;
    const auto user = api->ask("POST", "/v1/api/users", body);
    if (!user) return user.error();
    print_user(*user, common);
    return {};
}

Result<> list_users(const UserArguments& /*asked*/, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    return for_each_item(*api, "/v1/api/users", std::numeric_limits<std::int64_t>::max(),
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
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = find_user(*api, asked.name);
    if (!user) return user.error();
    const auto done = api->ask("PATCH", path_of(*user), change);
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
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = find_user(*api, asked.name);
    if (!user) return user.error();
    if (!asked.yes)
        if (const auto confirmed =
                confirm("Remove " + shown(*user, "username") + " (" + shown(*user, "role") +
                        ") with all sessions, messages and tokens?");
            !confirmed)
            return confirmed;
    if (const auto done = api->ask("DELETE", path_of(*user)); !done) return done.error();
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

// Without options, an empty change shows the current limits or the budget.
Result<> set_limits(const UserArguments& asked, const Common& common)
{
    auto limits = limits_of(asked.limits);
    if (!limits) return limits.error();
    return change(asked, common, {{"limits", std::move(*limits)}});
}
Result<> set_budget(const UserArguments& asked, const Common& common)
{
    auto budget = budget_of(asked.budget);
    if (!budget) return budget.error();
    return change(asked, common, {{"budget", std::move(*budget)}});
}

// Without server.public_url a link is a path: on the server at --url, or on the local one.
void print_link(const boost::json::object& made, const ApiClient& api, const Common& common)
{
    const std::string link = shown(made, "url");
    std::string address = common.url;
    if (address.empty())
        if (const auto server = place_of_server(api.paths)) address = server->url;
    std::cout << (link.starts_with('/') ? address : "") << link << "\n";
}

Result<> invite(const UserArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = find_user(*api, asked.name);
    if (!user) return user.error();
    const auto invited = api->ask("POST", path_of(*user) + "/invite");
    if (!invited) return invited.error();
    if (common.json)
        print_line(*invited);
    else
        print_link(invited->at("invitation").as_object(), *api, common);
    return {};
}

Result<> make_reset_link(const UserArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = find_user(*api, asked.name);
    if (!user) return user.error();
    const auto made = api->ask("POST", path_of(*user) + "/reset-link");
    if (!made) return made.error();
    if (common.json)
        print_line(*made);
    else
        print_link(*made, *api, common);
    return {};
}

Result<> remove_totp(const UserArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = find_user(*api, asked.name);
    if (!user) return user.error();
    if (const auto done = api->ask("DELETE", path_of(*user) + "/totp"); !done) return done.error();
    if (common.json)
        print_line(*user);
    else
        std::cout << "Removed the second factor of " << shown(*user, "username") << " ("
                  << shown(*user, "id") << ").\n";
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
    limiting
        ->add_option("--chat", asked.limits.chat, "Requests of class chat: 1 to 1000, or `server`")
        ->type_name("N");
    limiting
        ->add_option("--general", asked.limits.general,
                     "Requests of class general: 1 to 1000, or `server`")
        ->type_name("N");
    limiting
        ->add_option("--automation", asked.limits.automation,
                     "Runs started by automations: 1 to 1000, or `server`")
        ->type_name("N");
    verb("budget", "Set the output tokens that a user may use in a day (UTC).",
         "  parley user budget ana 100000\n"
         "  parley user budget ana none",
         set_budget)
        ->add_option("TOKENS", asked.budget,
                     "Number of tokens, or `none`. Absent: show the budget");
    verb("invite", "Print a one-time link to set a user's password.", "  parley user invite ana",
         invite);
    verb("reset-link", "Print a one-time link to reset a user's password, valid for 24 hours.",
         "  parley user reset-link ana", make_reset_link);
    verb("totp-remove", "Remove the second factor of a user who has lost it.",
         "  parley user totp-remove ana", remove_totp);
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
