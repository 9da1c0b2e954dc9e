#include "store/postgres/index_builds.hpp"

#include "base/log.hpp"

#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace parley::store::postgres {
namespace {

constexpr std::string_view create_index = "CREATE INDEX ";

std::string word(const std::string& statement, int place)
{
    std::istringstream words(statement);
    std::string found;
    for (int i = 0; i <= place; ++i) words >> found;
    return found;
}

// CREATE TABLE name
std::string table_made_by(const std::string& statement)
{
    return statement.starts_with("CREATE TABLE ") ? word(statement, 2) : "";
}

// CREATE INDEX name ON table
std::string index_made_by(const std::string& statement) { return word(statement, 2); }
std::string table_indexed_by(const std::string& statement) { return word(statement, 4); }

constexpr const char* lock_builds = "SELECT pg_try_advisory_lock(x'5061726c657b'::bigint)";
constexpr const char* unlock_builds = "SELECT pg_advisory_unlock(x'5061726c657b'::bigint)";

// Empty if it does not exist.
std::string validity(Link& link, const std::string& index)
{
    return link.text("SELECT indisvalid::int FROM pg_index WHERE indexrelid = to_regclass('" +
                     index + "')");
}

}  // namespace

SchemaStep split_step(std::vector<std::string> statements)
{
    SchemaStep step;
    std::set<std::string> made;
    for (std::string& each : statements) {
        made.insert(table_made_by(each));
        const bool is_of_older_table =
            each.starts_with(create_index) && !made.contains(table_indexed_by(each));
        (is_of_older_table ? step.indexes : step.within).push_back(std::move(each));
    }
    return step;
}

std::vector<std::string> missing_indexes(Link& link, std::vector<std::string> indexes)
{
    std::erase_if(indexes, [&](const std::string& each) {
        return validity(link, index_made_by(each)) == "1";
    });
    return indexes;
}

void build_indexes(Link& link, const std::vector<std::string>& indexes)
{
    if (link.text(lock_builds) != "t") return;
    // A role may have limits that are meant for statements of people.
    link.execute("SET statement_timeout = 0");
    link.execute("SET lock_timeout = 0");
    for (const std::string& each : missing_indexes(link, indexes)) {
        const std::string index = index_made_by(each);
        if (!validity(link, index).empty()) link.execute("DROP INDEX CONCURRENTLY " + index);
        log::info("creating an index of the database", log::kv("index", index));
        link.execute("CREATE INDEX CONCURRENTLY " + each.substr(create_index.size()));
        log::info("index created", log::kv("index", index));
    }
    link.execute(unlock_builds);
}

}  // namespace parley::store::postgres
