// A prepared statement of a driver, and the columns of its rows: by name, each with its type.
//
//   struct KeyColumns {
//       const Statement* in;
//       Column<std::string> purpose{*in, "purpose"};
//       Column<TimePoint> expires_at{*in, "expires_ms"};
//   };
//   const auto& at = row.columns<KeyColumns>();
//   row[at.purpose];
//
// Names are looked up once for a statement, not for each row.
#pragma once

#include "base/clock.hpp"
#include "fields/fields.hpp"
#include "store/sql/failure.hpp"
#include "store/sql/time.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::store::sql {

// Bytes that are not text.
struct Blob {
    std::string_view bytes;
};

enum class Type { integer, bytes };

// The interface of a prepared statement for drivers. Columns and parameters have the numbers of
// SQL: parameters from 1, columns from 0. A parameter has the same type in every use.
class Statement {
public:
    Statement() = default;
    virtual ~Statement() = default;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // Texts and blobs are not copied; they must live until reset().
    virtual void bind(int parameter, std::int64_t value) = 0;
    virtual void bind(int parameter, std::string_view text) = 0;
    virtual void bind(int parameter, Blob blob) = 0;
    virtual void bind_null(int parameter, Type type) = 0;

    // Goes to the next row; false if there is none.
    virtual bool next() = 0;
    // Runs a statement whose result is not needed. A driver may send it with the next one, which
    // throws its failure then. Values are copied.
    virtual void send() { next(); }
    // Says that next() will be called later. A driver may send the statement with the next one,
    // which throws its failure then; others run it in next().
    virtual void ask() {}
    // The number of changed rows, without cascades. To be called after next().
    virtual std::size_t changed() const = 0;
    // Runs an INSERT: returns the primary key of the new row, or nothing if ON CONFLICT DO NOTHING
    // applied. The statement has no RETURNING, which is slow in SQLite because it uses a temporary
    // table.
    virtual std::optional<std::int64_t> insert() = 0;
    // Makes it ready for its next use, with no parameter bound.
    virtual void reset() = 0;

    virtual bool is_null(int column) const = 0;
    virtual std::int64_t integer(int column) const = 0;
    virtual std::string_view bytes(int column) const = 0;  // Until next() or reset().

    // The number of a column. Throws std::logic_error if there is none of this name.
    virtual int column(std::string_view name) const = 0;

    // The numbers of these columns, looked up once.
    template <class Columns>
    const Columns& columns()
    {
        for (const auto& [type, numbers] : known_columns_)
            if (type == &type_tag<Columns>) return *static_cast<const Columns*>(numbers.get());
        auto numbers = std::make_shared<const Columns>(Columns{this});
        const Columns& found = *numbers;
        known_columns_.emplace_back(&type_tag<Columns>, std::move(numbers));
        return found;
    }

private:
    template <class Columns>
    static constexpr char type_tag = 0;  // Its address tells types apart.

    std::vector<std::pair<const char*, std::shared_ptr<const void>>> known_columns_;
};

template <class T>
class Column {
public:
    Column(const Statement& statement, std::string_view name) : number_(statement.column(name)) {}

    int number() const { return number_; }

private:
    int number_;
};

template <fields::NamedEnum Enum>
Enum named(std::string_view name)
{
    for (const auto& each : names_of(Enum{}))
        if (each.name == name) return each.value;
    throw damage("a word that is not known: " + std::string(name));
}

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_hash = false;
template <std::size_t Size>
inline constexpr bool is_hash<std::array<unsigned char, Size>> = true;

}  // namespace detail

// The value of a column in the row that the statement is at.
template <class T>
T read_column(const Statement& row, int column)
{
    if constexpr (detail::is_optional<T>) {
        if (row.is_null(column)) return std::nullopt;
        return read_column<typename T::value_type>(row, column);
    } else if constexpr (std::same_as<T, bool>) {
        return row.integer(column) != 0;
    } else if constexpr (std::integral<T>) {
        return static_cast<T>(row.integer(column));
    } else if constexpr (std::same_as<T, TimePoint>) {
        return from_ms(row.integer(column));
    } else if constexpr (fields::NamedEnum<T>) {
        return named<T>(row.bytes(column));
    } else if constexpr (detail::is_hash<T>) {
        T hash{};
        const std::string_view bytes = row.bytes(column);
        std::copy_n(bytes.begin(), std::min(bytes.size(), hash.size()), hash.begin());
        return hash;
    } else {
        return T(row.bytes(column));
    }
}

}  // namespace parley::store::sql
