#include "store/transfer/tables.hpp"

namespace parley::store::transfer {
namespace {

Kind kind_of(std::string_view type)
{
    if (type == "INTEGER") return Kind::integer;
    return type == "TEXT" ? Kind::text : Kind::blob;
}

std::vector<Column> columns_of(sqlite::Database& database, const std::string& table)
{
    std::vector<Column> columns;
    const auto rows =
        prepared(database, "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid");
    rows->bind(1, std::string_view(table));
    while (rows->next()) columns.push_back({std::string(rows->bytes(0)), kind_of(rows->bytes(1))});
    return columns;
}

}  // namespace

std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::string Table::list_of_columns() const
{
    std::string list;
    for (const Column& column : columns) list += (list.empty() ? "" : ", ") + quoted(column.name);
    return list;
}

std::unique_ptr<sqlite::SqliteStatement> prepared(sqlite::Database& database,
                                                  const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        sqlite::fail(database.handle(), "prepare");
    return std::make_unique<sqlite::SqliteStatement>(statement);
}

std::vector<Table> tables_of(sqlite::Database& database)
{
    std::vector<Table> tables;
    const auto rows = prepared(
        database,
        "SELECT l.name, s.sql LIKE '%AUTOINCREMENT%' FROM pragma_table_list AS l"
        " JOIN sqlite_schema AS s ON s.name = l.name"
        " WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " AND l.name NOT LIKE 'search\\_%' ESCAPE '\\' ORDER BY l.name");
    while (rows->next()) {
        const std::string name(rows->bytes(0));
        tables.push_back({name, columns_of(database, name), rows->integer(1) == 1});
    }
    return tables;
}

bool is_left_out(const Table& table, const Column& column)
{
    return table.name == "runs" && column.name == "replica";
}

}  // namespace parley::store::transfer
