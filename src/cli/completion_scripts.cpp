#include "app/settings.hpp"
#include "cli/completion.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>
#include <vector>

namespace parley::cli {
namespace {

// The kind of value of an option or argument.
enum class Values { none, files, directories, settings, words };

struct Word {
    std::string text;  // "serve", "--data", or a possible value of an argument.
    std::string meaning;
    Values values = Values::none;
    bool takes_value = false;
};

// One command: all words that may come next, with descriptions.
struct Node {
    std::string path;  // "parley serve"
    std::vector<Word> words;
    std::vector<std::string> commands;
};

// CLI11 describes the possible values of an argument as "SHELL:{bash,fish,zsh}".
std::vector<std::string> choices_of(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}');
    if (open == type.npos || close == type.npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

Values values_of(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    if (type == "FILE") return Values::files;
    if (type == "DIR") return Values::directories;
    if (type == "KEY=VALUE") return Values::settings;
    return Values::words;
}

std::vector<Word> words_of(const CLI::Option& option)
{
    std::vector<Word> words;
    for (const auto& name : option.get_lnames())
        words.push_back({.text = "--" + name,
                         .meaning = option.get_description(),
                         .values = values_of(option),
                         .takes_value = option.get_items_expected_max() > 0});
    if (option.get_positional())
        for (const auto& choice : choices_of(option))
            words.push_back({.text = choice, .meaning = option.get_description()});
    return words;
}

void collect(const CLI::App& app, const std::string& above, std::vector<Node>& nodes)
{
    Node node{.path = above + app.get_name(), .words = {}, .commands = {}};
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        node.words.push_back({.text = command->get_name(), .meaning = command->get_description()});
        node.commands.push_back(command->get_name());
    }
    for (const CLI::Option* option : app.get_options())
        for (auto& word : words_of(*option)) node.words.push_back(std::move(word));
    // The options of the command above work here, too; those of the program do not.
    if (const CLI::App* parent = app.get_parent(); parent && parent->get_parent())
        for (const CLI::Option* option : parent->get_options())
            if (!option->get_positional() && option != parent->get_help_ptr())
                for (auto& word : words_of(*option)) node.words.push_back(std::move(word));
    const std::string here = node.path + " ";
    nodes.push_back(std::move(node));
    for (const CLI::App* command : app.get_subcommands(nullptr)) collect(*command, here, nodes);
}

std::vector<Node> nodes_of(const CLI::App& program)
{
    std::vector<Node> nodes;
    collect(program, "", nodes);
    return nodes;
}

std::string setting_keys()
{
    std::string keys;
    for (const auto& setting : app::all_settings())
        keys += (keys.empty() ? "" : " ") + setting.key + "=";
    return keys;
}

// For a text in single quotes.
std::string escaped(std::string_view text, std::string_view quote)
{
    std::string safe;
    for (const char each : text) {
        if (each == '\'')
            safe += quote;
        else
            safe += each;
    }
    return safe;
}

// A line for each option with a value: `        'parley serve --config') <action> ;;`
std::string value_cases(const std::vector<Node>& nodes,
                        const std::function<std::string(Values)>& action)
{
    std::string cases;
    for (const auto& node : nodes)
        for (const auto& word : node.words)
            if (word.takes_value)
                cases += "        '" + node.path + " " + word.text + "') " + action(word.values) +
                         "; return ;;\n";
    return cases;
}

std::string path_cases(const std::vector<Node>& nodes)
{
    std::string cases;
    for (const auto& node : nodes)
        for (const auto& command : node.commands) {
            const std::string path = node.path + " " + command;
            cases.append("            '").append(path).append("') at='").append(path);
            cases.append("' ;;\n");
        }
    return cases;
}

}  // namespace

std::string bash_completion(const CLI::App& program)
{
    const auto nodes = nodes_of(program);
    const auto action = [](Values values) -> std::string {
        switch (values) {
            case Values::files:
                return "COMPREPLY=($(compgen -f -- \"$word\"))";
            case Values::directories:
                return "COMPREPLY=($(compgen -d -- \"$word\"))";
            case Values::settings:
                return "compopt -o nospace 2>/dev/null; COMPREPLY=($(compgen -W '" +
                       setting_keys() + "' -- \"$word\"))";
            default:
                return "COMPREPLY=()";
        }
    };
    std::string script =
        "# Completes parley in bash. Generated by `parley completion bash`.\n"
        "_parley() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at=parley i\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        case \"$at ${COMP_WORDS[i]}\" in\n" +
        path_cases(nodes) +
        "        esac\n"
        "    done\n"
        "    case \"$at $before\" in\n" +
        value_cases(nodes, action) +
        "    esac\n"
        "    case $at in\n";
    for (const auto& node : nodes) {
        script += "        '" + node.path + "') COMPREPLY=($(compgen -W '";
        for (const auto& word : node.words) script += word.text + " ";
        script.back() = '\'';
        script += " -- \"$word\")) ;;\n";
    }
    return script +
           "    esac\n"
           "}\n"
           "complete -F _parley parley\n";
}

std::string zsh_completion(const CLI::App& program)
{
    const auto nodes = nodes_of(program);
    const auto action = [](Values values) -> std::string {
        switch (values) {
            case Values::files:
                return "_files";
            case Values::directories:
                return "_files -/";
            case Values::settings:
                return "compadd -S '' -- " + setting_keys();
            default:
                return "_message value";
        }
    };
    std::string script =
        "#compdef parley\n"
        "# Completes parley in zsh. Generated by `parley completion zsh`.\n"
        "_parley() {\n"
        "    local at=parley i\n"
        "    local -a choices\n"
        "    for ((i = 2; i < CURRENT; i++)); do\n"
        "        case \"$at ${words[i]}\" in\n" +
        path_cases(nodes) +
        "        esac\n"
        "    done\n"
        "    case \"$at ${words[CURRENT-1]}\" in\n" +
        value_cases(nodes, action) +
        "    esac\n"
        "    case $at in\n";
    for (const auto& node : nodes) {
        script += "        '" + node.path + "') choices=(";
        for (const auto& word : node.words)
            script += "\n            '" + word.text + ":" + escaped(word.meaning, "'\\''") + "'";
        script += ") ;;\n";
    }
    return script +
           "    esac\n"
           "    _describe parley choices\n"
           "}\n"
           // As a file of $fpath it is the function's body; when sourced, it defines the function.
           "if [[ $funcstack[1] == _parley ]]; then _parley \"$@\"; else compdef _parley parley; "
           "fi\n";
}

std::string fish_completion(const CLI::App& program)
{
    std::string script =
        "# Completes parley in fish. Generated by `parley completion fish`.\n"
        "complete -c parley -f\n";
    for (const auto& node : nodes_of(program)) {
        std::string condition;
        const auto and_also = [&](const std::string& further) {
            condition += (condition.empty() ? "" : "; and ") + further;
        };
        for (const auto& part : CLI::detail::split(node.path, ' '))
            if (part != program.get_name()) and_also("__fish_seen_subcommand_from " + part);
        std::string commands;
        for (const auto& command : node.commands) commands += " " + command;
        if (!commands.empty()) and_also("not __fish_seen_subcommand_from" + commands);
        for (const auto& word : node.words) {
            script += "complete -c parley -n '" + condition + "' ";
            script += word.text.starts_with("--") ? "-l " + word.text.substr(2) : "-a " + word.text;
            if (word.takes_value) {
                script += " -x";
                if (word.values == Values::files) script += " -a '(__fish_complete_path)'";
                if (word.values == Values::directories)
                    script += " -a '(__fish_complete_directories)'";
                if (word.values == Values::settings) script += " -a '" + setting_keys() + "'";
            }
            script += " -d '" + escaped(word.meaning, "\\'") + "'\n";
        }
    }
    return script;
}

}  // namespace parley::cli
