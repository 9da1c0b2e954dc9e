// Failures of SQLite, and their conversion to errors.
#pragma once

#include "base/error.hpp"
#include "store/sql/failure.hpp"

#include <sqlite3.h>

#include <string>

namespace parley::store::sqlite {

// Thrown inside this room only.
class Failure : public sql::Failure {
public:
    Failure(int code, const std::string& what);

    // SQLite's extended result code.
    int code() const { return code_; }

private:
    int code_;
};

// Throws the connection's last failure.
[[noreturn]] void fail(sqlite3* handle, const char* doing);

// The error for the client: storage_unavailable, with SQLite's message only for the log.
Error to_error(const sql::Failure& failure);

}  // namespace parley::store::sqlite
