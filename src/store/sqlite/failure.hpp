// What SQLite says when it fails, and what that means to the rest of Parley.
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

// The error that a client gets: storage_unavailable, with SQLite's words for the log alone.
Error to_error(const sql::Failure& failure);

}  // namespace parley::store::sqlite
