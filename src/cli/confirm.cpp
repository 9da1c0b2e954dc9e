#include "cli/confirm.hpp"

#include "base/escape_control.hpp"

#include <iostream>
#include <unistd.h>

namespace parley::cli {

Result<> confirm(const std::string& question)
{
    if (isatty(STDIN_FILENO) == 0)
        return Error{Errc::invalid_request,
                     "There is no terminal for the confirmation: give --yes."};
    std::cerr << escape_control(question) << " [y/N] " << std::flush;
    std::string line;
    std::getline(std::cin, line);
    if (line == "y" || line == "Y" || line == "yes") return {};
    return Error{Errc::invalid_request, "Nothing was removed."};
}

}  // namespace parley::cli
