// The server's own keys in SQLite.
#pragma once

#include "store/keys.hpp"
#include "store/sqlite/writer.hpp"

namespace parley::store::sqlite {

class SqliteKeys final : public Keys {
public:
    explicit SqliteKeys(Writer& writer) : writer_(writer) {}

    Task<Result<Secret>> key_for(std::string purpose) override;

private:
    Writer& writer_;
};

}  // namespace parley::store::sqlite
