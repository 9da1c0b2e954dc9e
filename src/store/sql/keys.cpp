#include "store/sql/keys.hpp"

#include "base/random.hpp"

#include <array>
#include <span>

namespace parley::store::sql {
namespace {

std::optional<Secret> find(Connection& connection, const std::string& purpose)
{
    Query select = connection.query("SELECT bytes FROM keys WHERE purpose = ?1");
    if (!select.bind(purpose).next()) return std::nullopt;
    return Secret(select.only<std::string_view>());
}

Result<Secret> find_or_make(Connection& connection, const std::string& purpose)
{
    if (auto found = find(connection, purpose)) return std::move(*found);

    std::array<char, Keys::size> bytes{};
    random_bytes(std::as_writable_bytes(std::span(bytes)));
    Secret key({bytes.data(), bytes.size()});
    Query insert = connection.query(
        "INSERT INTO keys (purpose, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
    if (insert.bind(purpose, Blob{key.reveal()}).run() > 0) return key;
    auto made = find(connection, purpose);  // By another server, meanwhile.
    if (!made) throw damage("a key that was just made is gone: " + purpose);
    return std::move(*made);
}

}  // namespace

Task<Result<Secret>> SqlKeys::key_for(std::string purpose)
{
    return writes_.run<Secret>([purpose = std::move(purpose)](Connection& connection) {
        return find_or_make(connection, purpose);
    });
}

}  // namespace parley::store::sql
