// A conversation in `parley chat`: questions, answers printed while they are written, and commands
// such as /new.
//
// Threads: the one that calls.
#pragma once

#include "cli/user_access.hpp"

#include <string>

namespace parley::cli {

class Conversation {
public:
    // Both must outlive it. Without a model, the session's or the server's default answers.
    Conversation(const Common& common, const UserAccess& access, std::string model)
        : common_(common), access_(access), model_(std::move(model))
    {
    }

    // Continues the last active session. Fails with a message.
    Result<> continue_last();

    // One question; returns once it is answered. Fails with a message.
    Result<> say(const std::string& message);

    // Line by line, until the input ends, /exit, or Ctrl-C at the prompt. Returns the exit code.
    int converse(bool keeps_history);

    // The model that answered last.
    const std::string& answered_by() const { return answered_by_; }

private:
    int converse_at_terminal(bool keeps_history);
    int converse_plainly();
    void print_banner();
    void complain_unless(const Result<>& done) const;
    // False: the user wants to exit.
    bool take(const std::string& line);
    bool obey(const std::string& command, const std::string& argument);
    void choose_model(const std::string& name);
    Result<std::vector<std::string>> models() const;

    const Common& common_;
    const UserAccess& access_;
    std::string model_;
    std::string session_;
    std::string answered_by_;
};

}  // namespace parley::cli
