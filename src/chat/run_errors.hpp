// How the error of a run is stored, and how clients see it. The module that knows the problems of
// the interface implements it; the address of this server is in neither the store nor the journal.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "domain/chat.hpp"

#include <boost/json/object.hpp>

namespace parley::chat {

class RunErrors {
public:
    virtual ~RunErrors() = default;

    virtual RunError stored(const Error& error) const = 0;
    virtual boost::json::object shown(const RunError& error) const = 0;
};

}  // namespace parley::chat
