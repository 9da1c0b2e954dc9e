#include "base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace parley {
namespace {

// Cuts the list to the maximum, and returns the original count.
std::size_t cut(Faults& faults)
{
    std::size_t further = 0;
    std::erase_if(faults, [&](const Fault& each) {
        if (each.code != further_faults) return false;
        further += std::strtoul(each.detail.c_str(), nullptr, 10);
        return true;
    });
    const std::size_t all = faults.size() + further;
    if (faults.size() > max_faults) faults.erase(faults.begin() + max_faults, faults.end());
    return all;
}

bool are_of_a_schema(const Faults& faults)
{
    return !faults.empty() && std::ranges::all_of(faults, [](const Fault& each) {
        return each.code == unsupported_keyword || each.code == unsupported_schema;
    });
}

}  // namespace

Error validation_failed(Faults faults)
{
    const std::size_t all = cut(faults);
    std::string message = "The request is not valid.";
    if (!faults.empty()) {
        const Fault& first = faults.front();
        std::string where = first.where;
        if (where == "#")
            where = "body";
        else if (const std::size_t start = where.starts_with('#') ? 1 : 0;
                 where.substr(start, 1) == "/")
            where.erase(0, start + 1);  // People read a name, not a pointer.
        message = where.empty() ? first.detail : where + ": " + first.detail;
        if (all > faults.size())
            message += " (" + std::to_string(all) + " faults, of which the first " +
                       std::to_string(faults.size()) + " are listed)";
        else if (all > 1)
            message += " (and " + std::to_string(all - 1) + " more)";
    }
    const Errc code = are_of_a_schema(faults) ? Errc::unsupported_schema : Errc::validation_failed;
    return {.code = code, .message = message, .faults = std::move(faults)};
}

void throw_exception_from_error(const Error& error, const boost::source_location& where)
{
    throw std::logic_error("unchecked error at " + where.to_string() + ": " + error.message);
}

}  // namespace parley
