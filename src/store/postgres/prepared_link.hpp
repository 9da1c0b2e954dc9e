// A connection that prepares each statement once, and reads the values of its rows.
//
// Threads: belongs to one thread at a time.
#pragma once

#include "store/postgres/arrays.hpp"
#include "store/postgres/link.hpp"

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::postgres {

struct Statement {
    const char* name;
    const char* sql;
    std::vector<Oid> types;
};

class PreparedLink {
public:
    PreparedLink(const Options& options, Link::GiveUp give_up) : link_(options, std::move(give_up))
    {
    }

    Link& link() { return link_; }

    // A statement and its end travel in one buffer: a transaction never waits for this process.
    ResultPtr run(const Statement& statement, std::initializer_list<std::string_view> parameters)
    {
        const auto known = prepared_.find(statement.name);
        // A new name for each attempt: the first one exists if only the rest of it failed.
        const std::string name =
            known != prepared_.end() ? known->second : statement.name + std::to_string(++attempts_);
        if (known == prepared_.end()) link_.send_prepare(name, statement.sql, statement.types);
        std::vector<const char*> values;
        std::vector<int> sizes;
        for (const std::string_view each : parameters) {
            values.push_back(each.data());
            sizes.push_back(static_cast<int>(each.size()));
        }
        link_.send_prepared(name, values, sizes);
        auto result = link_.end();
        prepared_.emplace(statement.name, name);
        return result;
    }

private:
    Link link_;
    std::map<std::string_view, std::string> prepared_;  // By the name of the statement.
    int attempts_ = 0;
};

inline int row_count(const ResultPtr& result) { return libpq().PQntuples(result.get()); }

inline std::string_view bytes_at(const ResultPtr& result, int row, int column)
{
    const auto& library = libpq();
    return {library.PQgetvalue(result.get(), row, column),
            static_cast<std::size_t>(library.PQgetlength(result.get(), row, column))};
}

// The number in a column that the statement converts to text.
inline std::int64_t number_at(const ResultPtr& result, int row, int column)
{
    const std::string_view text = bytes_at(result, row, column);
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace parley::store::postgres
