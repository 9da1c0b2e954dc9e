// The JSON Schemas that answers can be held to: a subset of JSON Schema 2020-12 for which a grammar
// can be written, so that a model cannot write anything else. Everything outside of it is refused
// and never ignored.
//
// Threads: plain functions; a Schema does not change once it is made.
#pragma once

#include "base/error.hpp"
#include "fields/path.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::schema {

inline constexpr std::size_t max_bytes = std::size_t{64} * 1024;
inline constexpr std::size_t max_levels = 10;  // The root is level 1.
inline constexpr std::size_t max_properties = 500;
inline constexpr std::size_t max_enum_values = 1000;
inline constexpr std::int64_t max_items = 1000;
inline constexpr std::int64_t max_length = 2000;

// An answer may nest so deep; only a recursive schema, or one that allows anything, gets there.
inline constexpr std::size_t max_answer_depth = 24;

enum class Format { none, date, time, date_time, uuid };

enum class Kind {
    any,         // Every value,
    any_object,  // or every object.
    null,
    boolean,
    integer,
    number,
    string,
    array,
    object,
    literals,
    any_of,
};

using NodeIndex = std::size_t;

struct Property {
    std::string name;
    NodeIndex node = 0;
    bool required = false;
};

// One schema of a document; the members that count are those of its kind.
struct Node {
    Kind kind = Kind::any;
    std::int64_t least = 0;                    // Characters, or items.
    std::optional<std::int64_t> most = {};     // Likewise.
    std::optional<std::int64_t> minimum = {};  // Of an integer, inclusive.
    std::optional<std::int64_t> maximum = {};
    Format format = Format::none;
    std::optional<NodeIndex> items = {};  // Absent: any.
    std::vector<Property> properties = {};
    std::vector<boost::json::value> literals = {};
    std::vector<NodeIndex> branches = {};
    bool referred = false;  // A definition: `$ref` leads here.
};

struct Schema {
    std::vector<Node> nodes;
    NodeIndex root = 0;
    std::string text = {};  // As it was given, compact; empty: any object.
};
using SchemaRef = std::shared_ptr<const Schema>;

// Notes all faults below `at`: of the code unsupported_keyword those that are about a keyword, of
// unsupported_schema all others. Null where there is one.
SchemaRef check(const boost::json::value& json, const fields::FieldPath& at);

// The same of a text that was checked before; null where it is not sound. Empty: any object.
SchemaRef restored(std::string_view text);

SchemaRef any_object();

// In the notation of llama.cpp (GBNF), from the rule `root`. What it lets through is valid, compact
// and in the schema's order; not everything that is valid can be written by it.
std::string grammar_of(const Schema& schema);

// The value that a text holds. Fails with validation_failed if it is no JSON or not valid.
Result<boost::json::value> valid(const Schema& schema, std::string_view text);

// A valid value, compact and in the schema's order.
std::string compact(const Schema& schema, const boost::json::value& value);

// Optional properties left out, the first of several choices that ends, numbers near 0.
std::string smallest_of(const Schema& schema);

}  // namespace parley::schema
