#include "base/log.hpp"
#include "store/sqlite/schema.hpp"

#include <string>

namespace parley::store::sqlite {

void migrate(Database& database)
{
    for (auto version = database.integer("PRAGMA user_version"); version < newest_version();) {
        const char* step = migrations()[static_cast<std::size_t>(version++)];
        database.execute("BEGIN IMMEDIATE");
        database.execute(step);
        database.execute(("PRAGMA user_version = " + std::to_string(version)).c_str());
        database.execute("COMMIT");
        log::info("database schema updated", log::kv("version", version));
    }
}

}  // namespace parley::store::sqlite
