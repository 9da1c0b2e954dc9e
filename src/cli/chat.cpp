#include "cli/conversation.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "models/model_files.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::cli {
namespace {

struct ChatArguments {
    std::string message;
    bool goes_on = false;
    bool no_history = false;
    std::string user;
    std::string model;
};

// Far more than the server accepts; the server reports its own limit.
constexpr std::size_t max_input = std::size_t{4} * 1024 * 1024;

// All of it, without the line break that `echo` adds.
Result<std::string> standard_input()
{
    std::string text(max_input + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > max_input)
        return Error{Errc::invalid_request, "The text on standard input is longer than 4 MiB."};
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

// A pipe or a file contains text for the message. Other kinds of input, such as the socket of a
// service manager, may never end.
bool has_piped_input()
{
    struct stat about{};
    return ::fstat(STDIN_FILENO, &about) == 0 &&
           (S_ISFIFO(about.st_mode) || S_ISREG(about.st_mode));
}

// The message of the command line, then the piped text: `git diff | parley chat "Review this"`.
Result<std::string> whole_message(const std::string& given)
{
    if (given.empty()) return standard_input();
    if (!has_piped_input()) return given;
    auto piped = standard_input();
    if (!piped) return piped.error();
    return piped->empty() ? given : given + "\n\n" + *piped;
}

// Returns the exit code.
Result<int> talk(const ChatArguments& asked, const Common& common)
{
    const bool converses = asked.message.empty() && isatty(STDIN_FILENO) != 0;
    const auto message =
        converses ? Result<std::string>(std::string()) : whole_message(asked.message);
    if (!message) return message.error();
    if (message->empty() && !converses)
        return Error{Errc::invalid_request, "The message is empty: give a message."};
    const Interruption interruption;
    const auto access = open_user_access(
        common, {.user = asked.user, .name = "parley chat", .scopes = {"chat:read", "chat:write"}});
    if (!access) return access.error();
    Conversation conversation(common, *access, asked.model);
    if (asked.goes_on)
        if (const auto found = conversation.continue_last(); !found) return found.error();
    if (converses) return conversation.converse(!asked.no_history);
    const auto done = conversation.say(*message);
    if (!common.json && isatty(STDERR_FILENO) != 0 &&
        conversation.answered_by() == models::embedded_model)
        std::cerr << "\n" << models::about_embedded_model << "\n";
    if (Interruption::was_asked_for()) return interrupted;
    if (!done) return done.error();
    return succeeded;
}

}  // namespace

Run describe_chat(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<ChatArguments>();
    command.add_option("MESSAGE", asked->message,
                       "Message; piped text is appended. Without either: a conversation");
    command.add_flag("-c,--continue", asked->goes_on, "Continue the last session");
    command.add_option("--user", asked->user, "User to chat as [the only user]")->type_name("NAME");
    command.add_option("--model", asked->model, "Model [the session's or the default]")
        ->type_name("NAME");
    command.add_flag("--no-history", asked->no_history,
                     "Do not read or write the history of typed messages");
    command.footer(
        "Connects to the server that runs on the data directory, or to the server at --url.\n"
        "Ctrl-C stops an answer; a second Ctrl-C exits. Without --url, typed messages\n"
        "are kept in ~/.local/state/parley/chat-history.\n\n"
        "Examples:\n"
        "  parley chat\n"
        "  parley chat \"What is the capital of France?\"\n"
        "  parley chat -c \"And of Italy?\"\n"
        "  git diff | parley chat \"Review this change\"\n"
        "  parley chat --user ana --json < question.txt\n"
        "  parley chat --url https://chat.example.org --token-file ~/.parley-token");
    return [asked, &common] {
        const auto done = talk(*asked, common);
        return done ? *done : complain(done.error().message, failed, common);
    };
}

}  // namespace parley::cli
