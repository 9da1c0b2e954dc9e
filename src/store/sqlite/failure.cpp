#include "store/sqlite/failure.hpp"

namespace parley::store::sqlite {

namespace {

using Kind = sql::Failure::Kind;

Kind kind_of(int code)
{
    if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC) return Kind::lost_sync;
    switch (code & 0xff) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return Kind::damage;
        case SQLITE_FULL:
            return Kind::full;
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH:
        case SQLITE_RANGE:
        case SQLITE_MISUSE:
        case SQLITE_ERROR:
            return Kind::query;
        default:
            return Kind::other;
    }
}

}  // namespace

Failure::Failure(int code, const std::string& what) : sql::Failure(kind_of(code), what), code_(code)
{
}

void fail(sqlite3* handle, const char* doing)
{
    const int code = handle ? sqlite3_extended_errcode(handle) : SQLITE_NOMEM;
    std::string what = std::string(doing) + ": " + (handle ? sqlite3_errmsg(handle) : "no memory");
    what += " (" + std::to_string(code) + ")";
    throw Failure(code, what);
}

Error to_error(const sql::Failure& failure)
{
    const bool full = failure.kind() == Kind::full;
    return {Errc::storage_unavailable,
            full ? "The server's disk is full." : "The server's storage is not available.",
            failure.what()};
}

}  // namespace parley::store::sqlite
