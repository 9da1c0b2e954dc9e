// Commands in the tree that CLI11 parses the arguments by.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace parley::cli {

// The program that a command belongs to.
inline const CLI::App& root_of(const CLI::App& app)
{
    return app.get_parent() ? root_of(*app.get_parent()) : app;
}

// "parley serve"
inline std::string full_name(const CLI::App& app)
{
    const CLI::App* parent = app.get_parent();
    return parent ? full_name(*parent) + " " + app.get_name() : app.get_name();
}

}  // namespace parley::cli
