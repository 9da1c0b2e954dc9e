#include "store/postgres/query_dialect.hpp"

namespace parley::store::postgres {
namespace {

bool is_part_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Takes a prefix, and gives whether it was there.
bool take(std::string_view& rest, std::string_view prefix)
{
    if (!rest.starts_with(prefix)) return false;
    rest.remove_prefix(prefix.size());
    return true;
}

std::string_view take_name(std::string_view& rest)
{
    std::size_t size = 0;
    while (size < rest.size() && is_part_of_name(rest[size])) ++size;
    const std::string_view name = rest.substr(0, size);
    rest.remove_prefix(size);
    return name;
}

// Takes a literal with its quotes; a doubled quote begins a second literal.
std::string_view take_literal(std::string_view& rest)
{
    const std::size_t end = rest.find('\'', 1);
    const std::string_view literal = rest.substr(0, end == rest.npos ? end : end + 1);
    rest.remove_prefix(literal.size());
    return literal;
}

}  // namespace

std::string translated_query(std::string_view sql)
{
    std::string out;
    out.reserve(sql.size());
    while (!sql.empty()) {
        if (sql.front() == '\'') {
            out += take_literal(sql);
        } else if (take(sql, " INDEXED BY ")) {
            take_name(sql);
        } else if (take(sql, " CROSS JOIN ")) {
            out += " JOIN ";
        } else {
            out += sql.front() == '?' ? '$' : sql.front();
            sql.remove_prefix(1);
        }
    }
    return out;
}

std::string_view table_of_insert(std::string_view sql)
{
    if (!take(sql, "INSERT INTO ")) return {};
    return take_name(sql);
}

}  // namespace parley::store::postgres
