#include "base/clock.hpp"
#include "cli/duration.hpp"
#include "cli/find_user.hpp"
#include "cli/output.hpp"
#include "cli/subcommands.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

struct TokenArguments {
    std::string user;
    bool client = false;
    std::string name = "command line";
    std::vector<std::string> scopes;
    std::string expires;
    bool test = false;
    std::string id;
};

// The time after this duration.
Result<std::string> expiry(const std::string& text)
{
    const auto time = read_duration(text);
    if (!time)
        return Error{Errc::invalid_request,
                     "--expires takes a duration such as 90d, 12h or 30m, not " + text + "."};
    return rfc3339(system_clock().now() + *time);
}

// The path of the tokens of the named user.
Result<std::string> place_of(ApiClient& api, const TokenArguments& asked)
{
    if (asked.client) return std::string("/v1/api/client-tokens");
    const auto user = find_user(api, asked.user);
    if (!user) return user.error();
    return "/v1/api/users/" + boost::json::value_to<std::string>(user->at("id")) + "/tokens";
}

Result<boost::json::object> wanted(const TokenArguments& asked)
{
    boost::json::object body{{"name", asked.name}};
    if (asked.client) return body;
    if (!asked.scopes.empty()) body["scopes"] = boost::json::value_from(asked.scopes);
    if (asked.test) body["test"] = true;
    if (!asked.expires.empty()) {
        auto time = expiry(asked.expires);
        if (!time) return time.error();
        body["expires_at"] = *time;
    }
    return body;
}

Result<> create_token(const TokenArguments& asked, const Common& common)
{
    const auto body = wanted(asked);
    if (!body) return body.error();
    auto api = connect(common);
    if (!api) return api.error();
    const auto place = place_of(*api, asked);
    if (!place) return place.error();
    const auto made = api->ask("POST", *place, *body);
    if (!made) return made.error();
    if (common.json)
        print_line(*made);
    else
        std::cout << shown(*made, "token") << '\n';
    return {};
}

Result<> list_tokens(const TokenArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto place = place_of(*api, asked);
    if (!place) return place.error();
    const auto print = [&common](const boost::json::object& token) {
        if (common.json)
            print_line(token);
        else
            std::cout << shown(token, "hint") << "  " << shown(token, "kind") << "  "
                      << shown(token, "name") << "  " << shown(token, "id") << '\n';
        return true;
    };
    if (!asked.client)
        return for_each_item(*api, *place, std::numeric_limits<std::int64_t>::max(), print);
    const auto all = api->ask("GET", *place);  // This list is short and has one page.
    if (!all) return all.error();
    for (const auto& token : all->at("data").as_array()) print(token.as_object());
    return {};
}

Result<> revoke_token(const TokenArguments& asked, const Common& common)
{
    auto api = connect(common);
    if (!api) return api.error();
    const auto place = place_of(*api, asked);
    if (!place) return place.error();
    const auto done = api->ask("DELETE", *place + "/" + asked.id);
    return done ? Result<>() : Result<>(done.error());
}

}  // namespace

Run describe_token(CLI::App& command, const Common& common)
{
    Subcommands<TokenArguments> verbs(command);
    TokenArguments& asked = verbs.asked();
    const auto verb = [&](const char* name, const char* summary, const char* examples,
                          Subcommands<TokenArguments>::Act act) {
        CLI::App* added = verbs.add(name, summary, examples, act);
        auto* whose = added->add_option_group("whose");
        whose->add_option("--user", asked.user, "User of the token")->type_name("NAME");
        whose->add_flag("--client", asked.client, "Client tokens, which may only log in");
        whose->require_option(1);
        return added;
    };
    CLI::App* creating = verb("create", "Create a token and print it (shown only once).",
                              "  parley token create --user ana --name laptop --expires 90d\n"
                              "  parley token create --user bot --scope chat:write --expires 12h\n"
                              "  parley token create --client --name kiosk",
                              create_token);
    creating->add_option("--name", asked.name, "Name of the token [command line]")
        ->type_name("TEXT");
    creating
        ->add_option("--scope", asked.scopes,
                     "chat:read, chat:write, account, admin, automation:read, "
                     "automation:write; may be repeated")
        ->type_name("SCOPE")
        ->expected(1)
        ->take_all();
    creating->add_option("--expires", asked.expires, "90d, 12h, 30m [never]")->type_name("TIME");
    creating->add_flag("--test", asked.test, "Test token: the scripted model answers");
    verb("list", "List tokens.",
         "  parley token list --user ana\n"
         "  parley token list --client",
         list_tokens);
    CLI::App* revoking =
        verb("revoke", "Revoke a token at once.",
             "  parley token revoke --user ana tok_01J9ZQ8R0000000000000000AB", revoke_token);
    revoking->add_option("ID", asked.id, "The token's id, tok_…")->required();
    command.footer(
        "Examples:\n"
        "  parley token create --user ana --name laptop\n"
        "  parley token create --user bot --scope chat:write --expires 90d\n"
        "  parley token list --user ana");
    return verbs.run(common);
}

}  // namespace parley::cli
