// Notes on a struct that travels (fields.hpp), for the reference alone: they are not checked.
#pragma once

#include "fields/rules.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace parley::fields {

// A struct may have a name and a meaning of its own, by which the reference speaks of it:
//
//   static constexpr fields::SchemaInfo schema_info{"ChatRun", "A question and how it is
//   answered."};
struct SchemaInfo {
    std::string_view name;
    std::string_view meaning;
};

// Of a text that we write ourselves: its JSON Schema format ("date-time"), the pattern that it
// fits.
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

// Of free JSON that is passed on: the type that others expect of it.
struct JsonType : Annotation {
    std::string_view name;

    void describe(boost::json::object& schema) const { schema["type"] = name; }
};
constexpr JsonType json_type(std::string_view name) { return {{}, name}; }

}  // namespace parley::fields
