// JSON Schemas for answers: a subset of JSON Schema 2020-12 that can be converted to a grammar, so
// that a model can only write valid answers. Everything outside of the subset is refused, never
// ignored.
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

// The maximum nesting of an answer; only a schema with references, or one that allows anything,
// reaches it.
inline constexpr std::size_t max_answer_depth = 24;

// The nesting of values of any type that a grammar allows.
inline constexpr std::size_t free_levels = 4;

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

// One schema of a document; only the members of its kind are used.
struct Node {
    Kind kind = Kind::any;
    std::int64_t least = 0;                    // Characters, or items.
    std::optional<std::int64_t> most = {};     // Likewise.
    std::optional<std::int64_t> minimum = {};  // The bounds of an integer, inclusive.
    std::optional<std::int64_t> maximum = {};
    Format format = Format::none;
    std::optional<NodeIndex> items = {};  // Absent: any.
    std::vector<Property> properties = {};
    std::vector<boost::json::value> literals = {};
    std::vector<NodeIndex> branches = {};
    std::size_t levels = free_levels;  // The nesting of Kind::any, in a grammar.
    bool referred = false;             // A definition: `$ref` leads here.
};

struct Schema {
    std::vector<Node> nodes;
    NodeIndex root = 0;
    std::string text = {};  // As it was given, compact; empty: any object.
};
using SchemaRef = std::shared_ptr<const Schema>;

// Records all faults below `at`: with the code unsupported_keyword for keywords, unsupported_schema
// for all others. Null if there is a fault.
SchemaRef check(const boost::json::value& json, const fields::FieldPath& at);

// The same for a text that was checked before; null if it is not valid. Empty: any object.
SchemaRef restored(std::string_view text);

SchemaRef any_object();

// Whether each of its values is an object.
bool allows_only_objects(const Schema& schema);

struct FunctionSchema {
    std::string name;
    SchemaRef arguments;
};

// A call of one of these functions: {"name": …, "arguments": …}. Null if they are too complex
// together, or none. Its text is for the log; restored() does not take it.
SchemaRef call_of(const std::vector<FunctionSchema>& functions);

// In the notation of llama.cpp (GBNF), with the rule `root`. Its texts are valid, compact and in
// the schema's order; it does not cover every valid text. Recursion is unrolled, so that no text is
// nested deeper than max_answer_depth.
std::string grammar_of(const Schema& schema);

// Parses an answer as json::parse() does, but of members with the same name in an object the last
// one counts, as with most parsers. Fails with validation_failed if it is not JSON.
Result<boost::json::value> parse_answer(std::string_view text);

// The same, and fails with validation_failed if it does not match the schema.
Result<boost::json::value> valid(const Schema& schema, std::string_view text);

// The same question for an answer that is parsed already.
bool is_valid(const Schema& schema, const boost::json::value& answer);

// A valid value, compact and in the schema's order.
std::string compact(const Schema& schema, const boost::json::value& value);

// A small valid value: without optional properties, with the first finite choice and numbers near
// 0.
std::string smallest_of(const Schema& schema);

}  // namespace parley::schema
