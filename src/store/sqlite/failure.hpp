// What SQLite says when it fails, and what that means to the rest of Parley.
#pragma once

#include "base/error.hpp"

#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace parley::store::sqlite {

// Thrown inside this room only.
class Failure : public std::runtime_error {
public:
    Failure(int code, const std::string& what) : std::runtime_error(what), code_(code) {}

    // SQLite's extended result code.
    int code() const { return code_; }

    // The disk did not keep what it was told to keep: nobody knows what is on it now, so nothing
    // may be written any more. (A second fsync would report success and mean nothing.)
    bool is_lost_sync() const;

    // The file contradicts itself: writing on would make it worse.
    bool is_damage() const;

private:
    int code_;
};

// Throws the connection's last failure.
[[noreturn]] void fail(sqlite3* handle, const char* doing);

// The error that a client gets: storage_unavailable, with SQLite's words for the log alone.
Error to_error(const Failure& failure);

}  // namespace parley::store::sqlite
