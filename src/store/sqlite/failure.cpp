#include "store/sqlite/failure.hpp"

namespace parley::store::sqlite {

bool Failure::is_lost_sync() const
{
    return code_ == SQLITE_IOERR_FSYNC || code_ == SQLITE_IOERR_DIR_FSYNC;
}

bool Failure::is_damage() const
{
    return (code_ & 0xff) == SQLITE_CORRUPT || (code_ & 0xff) == SQLITE_NOTADB;
}

void fail(sqlite3* handle, const char* doing)
{
    const int code = handle ? sqlite3_extended_errcode(handle) : SQLITE_NOMEM;
    std::string what = std::string(doing) + ": " + (handle ? sqlite3_errmsg(handle) : "no memory");
    what += " (" + std::to_string(code) + ")";
    throw Failure(code, what);
}

Error to_error(const Failure& failure)
{
    const bool full = (failure.code() & 0xff) == SQLITE_FULL;
    return {Errc::storage_unavailable,
            full ? "The server's disk is full." : "The server's storage is not available.",
            failure.what()};
}

}  // namespace parley::store::sqlite
