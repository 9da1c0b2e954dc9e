// The arguments of `parley automation`, and the subcommands about runs, hooks and moving, which
// have files of their own.
#pragma once

#include "cli/automation_definition.hpp"
#include "cli/subcommands.hpp"
#include "cli/user_access.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::cli {

struct AutomationArguments {
    std::string user;
    bool test = false;
    std::string automation;  // Its id, or its name.
    std::string state;
    std::string part_of_name;
    DefinitionArguments definition;
    std::int64_t count = 10;
    std::string from;
    bool yes = false;
    std::int64_t overlap_s = 86'400;
    // About runs:
    std::string run;  // aru_…
    std::vector<std::string> values;
    std::string key;
    std::string inputs;
    bool no_wait = false;
    std::string status;
    std::string trigger;
    std::string batch;
    std::int64_t limit = 20;
};

// A server, as the user whose automations they are.
struct AutomationAccess {
    UserAccess access;
    ApiClient client;

    // By its id or its name. Fails with a message if there is none, or if several have the name.
    Result<boost::json::object> find(const std::string& automation);
};
Result<AutomationAccess> open_automations(const AutomationArguments& asked, const Common& common);

inline constexpr const char* automations_path = "/v1/api/automations";
std::string path_of_automation(const boost::json::object& automation);

// When it is due, in a few words.
std::string trigger_text(const boost::json::object& automation);
// The URL and the secret of its hook, if the secret was just made.
void print_new_secret(const boost::json::object& automation);

// One line.
void print_automation(const boost::json::object& automation, const Common& common);

void add_hook_subcommands(Subcommands<AutomationArguments>& verbs);
void add_moving_subcommands(Subcommands<AutomationArguments>& verbs);
void add_run_subcommands(Subcommands<AutomationArguments>& verbs);

}  // namespace parley::cli
