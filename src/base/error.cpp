#include "base/error.hpp"

#include <stdexcept>

namespace parley {

Error validation_failed(Faults faults)
{
    std::string message = "The request is not valid.";
    if (!faults.empty()) {
        const Fault& first = faults.front();
        std::string where = first.where;
        if (where == "#")
            where = "body";
        else if (where.starts_with("#/"))
            where.erase(0, 2);
        message = where + ": " + first.detail;
        if (faults.size() > 1) message += " (and " + std::to_string(faults.size() - 1) + " more)";
    }
    return {.code = Errc::validation_failed, .message = message, .faults = std::move(faults)};
}

void throw_exception_from_error(const Error& error, const boost::source_location& where)
{
    throw std::logic_error("unchecked error at " + where.to_string() + ": " + error.message);
}

}  // namespace parley
