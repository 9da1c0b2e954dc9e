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

bool is_complete(Link& link, const std::string& index)
{
    const std::string is_valid = link.text(
        "SELECT indisvalid::int FROM pg_index WHERE indexrelid = to_regclass('" + index + "')");
    if (is_valid == "0") link.execute("DROP INDEX " + index);
    return is_valid == "1";
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

void build_indexes(Link& link, const std::vector<std::string>& indexes)
{
    for (const std::string& each : indexes) {
        const std::string index = index_made_by(each);
        if (is_complete(link, index)) continue;
        log::info("creating an index of the database", log::kv("index", index));
        link.execute("CREATE INDEX CONCURRENTLY " + each.substr(create_index.size()));
    }
}

}  // namespace parley::store::postgres
