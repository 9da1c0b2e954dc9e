#include "base/log.hpp"
#include "store/sql/schema_of_search.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/search_dialect.hpp"

#include <string>
#include <string_view>

namespace parley::store::sqlite {

void apply_step(Database& database, const char* step)
{
    database.execute(step);
    if (std::string_view(step) == sql::schema_step_of_search) database.execute(search_tables);
}

void migrate(Database& database)
{
    for (auto version = database.integer("PRAGMA user_version"); version < newest_version();) {
        const char* step = migrations()[static_cast<std::size_t>(version++)];
        database.execute("BEGIN IMMEDIATE");
        apply_step(database, step);
        database.execute(("PRAGMA user_version = " + std::to_string(version)).c_str());
        database.execute("COMMIT");
        log::info("database schema updated", log::kv("version", version));
    }
}

}  // namespace parley::store::sqlite
