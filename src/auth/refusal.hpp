// Why a name or a password is refused. It knows nothing of requests: the caller adds the place in
// the request, and gets the error for the client.
#pragma once

#include "base/error.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace parley::auth {

struct Refusal {
    // Not an aggregate: one could be made of a single text, and Judged<std::string> could not tell
    // a text from a refusal.
    Refusal() = default;
    Refusal(std::string for_programs, std::string for_people)
        : code(std::move(for_programs)), detail(std::move(for_people))
    {
    }

    std::string code;    // For programs.
    std::string detail;  // For people: continues "username: ".

    bool operator==(const Refusal&) const = default;
};

template <class T = void>
using Judged = boost::system::result<T, Refusal>;

// `where` is a pointer into the body, like #/username.
inline Error refused(Refusal refusal, std::string where)
{
    return validation_failed(
        {{std::move(where), std::move(refusal.code), std::move(refusal.detail)}});
}

// Called by Judged::value() on an unchecked refusal, which is a bug.
[[noreturn]] inline void throw_exception_from_error(const Refusal& refusal,
                                                    const boost::source_location& where)
{
    throw std::logic_error("unchecked refusal at " + where.to_string() + ": " + refusal.detail);
}

}  // namespace parley::auth
