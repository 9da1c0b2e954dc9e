// Failures of PostgreSQL, and their conversion to errors. Thrown inside this room only.
#pragma once

#include "base/error.hpp"
#include "store/sql/failure.hpp"

#include <string>
#include <string_view>

namespace parley::store::postgres {

class Failure : public sql::Failure {
public:
    // The server reported an error. `state` is its SQLSTATE.
    Failure(std::string_view state, const std::string& what);

    const std::string& state() const { return state_; }

    // The connection is of no use any more: the server closed it or cannot be written to.
    bool is_lost() const;
    // The transaction met another one. It may succeed if it runs again.
    bool is_conflict() const;

private:
    std::string state_;
};

// The SQLSTATE of a connection that was lost without a message of the server.
inline constexpr std::string_view connection_lost = "08006";

// COMMIT was sent, but its answer did not arrive.
class UnknownOutcome : public Failure {
public:
    using Failure::Failure;
};

// The error for the client, with PostgreSQL's message only for the log.
Error to_error(const sql::Failure& failure);
Error unavailable_error(std::string detail = {});

}  // namespace parley::store::postgres
