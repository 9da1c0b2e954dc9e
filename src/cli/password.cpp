#include "cli/password.hpp"

#include <iostream>
#include <iterator>
#include <termios.h>
#include <unistd.h>

namespace parley::cli {
namespace {

constexpr std::size_t longest = 1024;

// Switches off the echo of a terminal, and always restores it.
class Unseen {
public:
    Unseen()
    {
        tcgetattr(STDIN_FILENO, &before_);
        termios without = before_;
        without.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &without);
    }
    ~Unseen() { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_); }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;

private:
    termios before_{};
};

Secret ask(const char* prompt)
{
    std::cerr << prompt << std::flush;
    std::string line;
    {
        const Unseen unseen;
        std::getline(std::cin, line);
    }
    std::cerr << '\n';
    return Secret::taken_from(line);
}

}  // namespace

Result<Secret> read_new_password(bool from_stdin)
{
    if (from_stdin) {
        std::string text;
        char letter = 0;
        while (text.size() <= longest + 1 && std::cin.get(letter)) text += letter;
        if (text.ends_with('\n')) text.pop_back();
        return Secret::taken_from(text);
    }
    if (isatty(STDIN_FILENO) == 0)
        return Error{Errc::invalid_request,
                     "There is no terminal to ask for a password; pipe it in with "
                     "--password-stdin."};
    Secret password = ask("Password: ");
    if (!ask("Repeat the password: ").equals(password.reveal()))
        return Error{Errc::invalid_request, "The two passwords differ; nothing was done."};
    return password;
}

}  // namespace parley::cli
