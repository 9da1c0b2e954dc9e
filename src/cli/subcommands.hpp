// The subcommands of a command such as `parley user`; each runs a function with the arguments.
#pragma once

#include "base/error.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace parley::cli {

template <class Arguments>
class Subcommands {
public:
    using Act = Result<> (*)(const Arguments&, const Common&);

    explicit Subcommands(CLI::App& command) : command_(command) { command.require_subcommand(1); }

    // Each of the examples is a line of its own.
    CLI::App* add(const char* name, const char* summary, const std::string& examples, Act act)
    {
        CLI::App* added = command_.add_subcommand(name, summary);
        added->footer("Examples:\n" + examples);
        added->callback([chosen = chosen_, act] { *chosen = act; });
        return added;
    }

    // Options are written into this.
    Arguments& asked() { return *asked_; }

    // Runs the chosen subcommand.
    Run run(const Common& common) const
    {
        return [asked = asked_, chosen = chosen_, &common] {
            const auto done = (*chosen)(*asked, common);
            if (Interruption::was_asked_for()) return interrupted;
            return done ? succeeded : complain(done.error().message, failed, common);
        };
    }

private:
    CLI::App& command_;
    std::shared_ptr<Arguments> asked_ = std::make_shared<Arguments>();
    std::shared_ptr<Act> chosen_ = std::make_shared<Act>();
};

}  // namespace parley::cli
