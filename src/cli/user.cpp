#include "cli/find_user.hpp"
#include "cli/output.hpp"
#include "cli/password.hpp"
#include "cli/verbs.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

struct Asked {
    std::string name;
    std::string role = "member";
    std::string display_name;
    bool password_stdin = false;
};

void print_user(const boost::json::object& user, const Common& common)
{
    if (common.json) return print_line(user);
    const bool disabled = user.at("disabled").as_bool();
    std::cout << shown(user, "username") << "  " << shown(user, "role") << "  "
              << (disabled ? "disabled" : "active") << "  " << shown(user, "id") << "\n";
}

Result<> add(const Asked& asked, const Common& common)
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

Result<> list(const Asked& /*asked*/, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    return for_each_item(*reached, "/v1/api/users", std::numeric_limits<std::int64_t>::max(),
                         [&common](const boost::json::object& user) {
                             print_user(user, common);
                             return true;
                         });
}

// Sends a change, or a removal where there is none.
Result<> change(const Asked& asked, const Common& common, const boost::json::object& change)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    const auto user = find_user(*reached, asked.name);
    if (!user) return user.error();
    const std::string path = "/v1/api/users/" + boost::json::value_to<std::string>(user->at("id"));
    const auto done = reached->ask(change.empty() ? "DELETE" : "PATCH", path, change);
    if (!done) return done.error();
    if (!done->empty()) print_user(*done, common);
    return {};
}

Result<> disable(const Asked& asked, const Common& common)
{
    return change(asked, common, {{"disabled", true}});
}
Result<> enable(const Asked& asked, const Common& common)
{
    return change(asked, common, {{"disabled", false}});
}
Result<> remove(const Asked& asked, const Common& common) { return change(asked, common, {}); }
Result<> set_password(const Asked& asked, const Common& common)
{
    const auto password = read_new_password(asked.password_stdin);
    if (!password) return password.error();
    return change(asked, common, {{"password", password->reveal()}});
}

}  // namespace

Run describe_user(CLI::App& command, const Common& common)
{
    Verbs<Asked> verbs(command);
    Asked& asked = verbs.asked();
    const auto verb = [&](const char* name, const char* summary, Verbs<Asked>::Act act) {
        CLI::App* added = verbs.add(name, summary, act);
        added->add_option("NAME", asked.name, "The name they log in with")->required();
        return added;
    };
    CLI::App* adding = verb("add", "Make a user.", add);
    adding->add_option("--role", asked.role, "member or operator [member]")
        ->check(CLI::IsMember({"member", "operator"}));
    adding->add_option("--display-name", asked.display_name, "By which others know them")
        ->type_name("TEXT");
    verbs.add("list", "List all users.", list);
    verb("disable", "Lock a user out at once.", disable);
    verb("enable", "Let a user in again.", enable);
    CLI::App* changing = verb("passwd", "Set a user's password; ends their logins.", set_password);
    verb("remove", "Remove a user and all that is theirs.", remove);
    for (CLI::App* each : {adding, changing})
        each->add_flag("--password-stdin", asked.password_stdin,
                       "Read the password from standard input");
    command.footer(
        "`parley user add` makes a new data directory if there is none.\n\n"
        "Examples:\n"
        "  parley user add ana --role operator\n"
        "  parley user add bot --password-stdin < password.txt\n"
        "  parley user disable ana");
    return verbs.run(common);
}

}  // namespace parley::cli
