#include "cli/automation_definition.hpp"

#include "base/json.hpp"
#include "cli/not_empty.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <iostream>

namespace parley::cli {
namespace {

// More than the server accepts; the server reports its own limit.
constexpr std::size_t max_definition = std::size_t{4} * 1024 * 1024;

Result<std::string> read_all(std::istream& input, const std::string& name)
{
    std::string text(max_definition + 1, '\0');
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    if (text.size() > max_definition)
        return Error{Errc::invalid_request, name + " is longer than 4 MiB."};
    return text;
}

void set_trigger(const DefinitionArguments& asked, boost::json::object& definition)
{
    if (!asked.hook.empty())
        definition["trigger"] = boost::json::object{{"type", "hook"}, {"verify", asked.hook}};
    if (asked.cron.empty() && asked.at.empty() && asked.time_zone.empty()) return;
    boost::json::object trigger;
    if (const auto* given = definition.if_contains("trigger"); given && given->is_object())
        trigger = given->as_object();
    trigger["type"] = "schedule";
    if (!asked.cron.empty()) {
        trigger["cron"] = asked.cron;
        trigger.erase("at");
    }
    if (!asked.at.empty()) {
        trigger["at"] = asked.at;
        trigger.erase("cron");
    }
    if (!asked.time_zone.empty()) trigger["time_zone"] = asked.time_zone;
    definition["trigger"] = std::move(trigger);
}

boost::json::array variables_of(const std::vector<std::string>& given)
{
    boost::json::array variables;
    for (const std::string& each : given) {
        const Assignment variable = read_assignment(each);
        boost::json::object made{{"name", variable.name}};
        if (variable.value)
            made["default"] = *variable.value;
        else
            made["required"] = true;
        variables.push_back(std::move(made));
    }
    return variables;
}

}  // namespace

Assignment read_assignment(const std::string& text)
{
    const std::size_t sign = text.find('=');
    if (sign == text.npos) return {text, std::nullopt};
    return {text.substr(0, sign), text.substr(sign + 1)};
}

Result<boost::json::value> read_json(const std::string& file)
{
    const bool is_standard_input = file == "-";
    const std::string name = is_standard_input ? "Standard input" : "The file " + file;
    std::ifstream opened;
    if (!is_standard_input) opened.open(file, std::ios::binary);
    if (!is_standard_input && !opened)
        return Error{Errc::invalid_request, name + " cannot be opened."};
    const auto text = read_all(is_standard_input ? std::cin : opened, name);
    if (!text) return text.error();
    if (!is_standard_input && opened.bad())
        return Error{Errc::invalid_request, name + " cannot be read."};
    auto parsed = json::parse(*text);
    if (!parsed)
        return Error{Errc::invalid_request, name + " is not JSON: " + parsed.error().message};
    return parsed;
}

Result<boost::json::object> definition_of(const DefinitionArguments& asked)
{
    boost::json::object definition;
    if (!asked.file.empty()) {
        auto read = read_json(asked.file);
        if (!read) return read.error();
        if (!read->is_object())
            return Error{Errc::invalid_request, "The definition must be a JSON object."};
        definition = std::move(read->as_object());
        definition.erase("id");  // An export has it.
    }
    for (const auto& [field, text] : {std::pair("name", &asked.name),
                                      {"message", &asked.message},
                                      {"instructions", &asked.instructions},
                                      {"model", &asked.model},
                                      {"overlap", &asked.overlap}})
        if (!text->empty()) definition[field] = *text;
    if (!asked.variables.empty()) definition["variables"] = variables_of(asked.variables);
    if (asked.max_output_tokens) definition["max_output_tokens"] = *asked.max_output_tokens;
    if (asked.paused) definition["paused"] = true;
    set_trigger(asked, definition);
    if (definition.empty())
        return Error{Errc::invalid_request,
                     "Give the automation as a JSON file, or with --name and --message."};
    return definition;
}

void add_definition_options(CLI::App& command, DefinitionArguments& asked)
{
    command.add_option("FILE", asked.file, "Definition in JSON; `-`: standard input")
        ->check(not_empty());
    command.add_option("--name", asked.name, "Name")->type_name("TEXT");
    command.add_option("--message", asked.message, "Message; {{NAME}} stands for a variable")
        ->type_name("TEXT");
    command.add_option("--cron", asked.cron, "Minute, hour, day, month, day of week")
        ->type_name("PATTERN");
    command.add_option("--at", asked.at, "A single time, such as 2027-03-28T01:30:00Z")
        ->type_name("TIME");
    command
        .add_option("--time-zone", asked.time_zone, "Such as Europe/Berlin; for --cron and --at")
        ->type_name("ZONE");
    command
        .add_option("--hook", asked.hook,
                    "Other programs call it: with a token, standard_webhooks or github")
        ->check(CLI::IsMember({"token", "standard_webhooks", "github"}))
        ->excludes("--cron", "--at", "--time-zone");
    command.add_option("--instructions", asked.instructions, "Instructions of its sessions")
        ->type_name("TEXT");
    command.add_option("--model", asked.model, "Model [the server's default]")->type_name("NAME");
    command
        .add_option("--variable", asked.variables,
                    "Variable of the message, with a default or required; may be repeated")
        ->type_name("NAME[=TEXT]")
        ->expected(1)
        ->take_all();
    command.add_option("--overlap", asked.overlap, "skip, queue, cancel or allow")
        ->check(CLI::IsMember({"skip", "queue", "cancel", "allow"}));
    command.add_option("--max-output-tokens", asked.max_output_tokens, "Longest answer, in tokens")
        ->type_name("N");
}

}  // namespace parley::cli
