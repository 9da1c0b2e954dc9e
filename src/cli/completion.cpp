#include "cli/completion.hpp"

#include "cli/app_names.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {

Run describe_completion(CLI::App& command, const Common& /*common*/)
{
    auto shell = std::make_shared<std::string>();
    command.add_option("shell", *shell, "Shell of the script")
        ->required()
        ->type_name("SHELL")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command.footer(
        "Examples:\n"
        "  source <(parley completion bash)\n"
        "  parley completion bash > ~/.local/share/bash-completion/completions/parley\n"
        "  parley completion zsh > \"${fpath[1]}/_parley\"\n"
        "  parley completion fish > ~/.config/fish/completions/parley.fish");
    return [shell, &command] {
        const CLI::App& program = root_of(command);
        std::cout << (*shell == "bash"  ? bash_completion(program)
                      : *shell == "zsh" ? zsh_completion(program)
                                        : fish_completion(program));
        return succeeded;
    };
}

}  // namespace parley::cli
