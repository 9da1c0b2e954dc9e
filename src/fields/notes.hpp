// Documentation of a wire struct (fields.hpp) that is only for the reference and not checked.
#pragma once

#include "fields/rules.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace parley::fields {

// The name and the description of a struct in the reference:
//
//   static constexpr fields::SchemaInfo schema_info{"ChatRun", "A question and how it is
//   answered."};
struct SchemaInfo {
    std::string_view name;
    std::string_view meaning;
    // It occurs in requests and in responses: in requests, its name ends with Input.
    bool is_input_too = false;
};

// For a text in responses: its JSON Schema format ("date-time") and pattern.
struct Format : Annotation {
    std::string_view name;

    void describe(boost::json::object& schema) const { schema["format"] = name; }
};
constexpr Format format(std::string_view name) { return {{}, name}; }

struct Pattern : Annotation {
    std::string_view expression;

    void describe(boost::json::object& schema) const { schema["pattern"] = expression; }
};
constexpr Pattern pattern(std::string_view expression) { return {{}, expression}; }

// For free JSON that is passed on: the type that upstreams expect.
struct JsonType : Annotation {
    std::string_view name;

    void describe(boost::json::object& schema) const { schema["type"] = name; }
};
constexpr JsonType json_type(std::string_view name) { return {{}, name}; }

}  // namespace parley::fields
