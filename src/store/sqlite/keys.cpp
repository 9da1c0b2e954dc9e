#include "store/sqlite/keys.hpp"

#include "base/random.hpp"

#include <array>
#include <span>

namespace parley::store::sqlite {
namespace {

Result<Secret> find_or_make(Database& database, const std::string& purpose)
{
    Query select = database.query("SELECT bytes FROM keys WHERE purpose = ?1");
    if (select.bind(purpose).next()) return Secret(select.bytes(0));

    std::array<char, Keys::size> bytes{};
    random_bytes(std::as_writable_bytes(std::span(bytes)));
    Secret key({bytes.data(), bytes.size()});
    Query insert =
        database.query("INSERT INTO keys (purpose, bytes) VALUES (?1, CAST(?2 AS BLOB))");
    insert.bind(purpose, key.reveal()).run();
    return key;
}

}  // namespace

Task<Result<Secret>> SqliteKeys::key_for(std::string purpose)
{
    return writer_.write<Secret>([purpose = std::move(purpose)](Database& database) {
        return find_or_make(database, purpose);
    });
}

}  // namespace parley::store::sqlite
