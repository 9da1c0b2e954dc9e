// The format that an answer must have: text, any JSON object, or JSON that is valid for a schema.
#pragma once

#include "fields/special.hpp"
#include "schema/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace parley::api {

// {"type": "json_schema", "schema": {…}}, {"type": "json_object"} or {"type": "text"}.
class ResponseFormat {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const { return json_; }

    schema::SchemaRef format;  // Null: text.

private:
    boost::json::object json_;
};

// The same in OpenAI's notation: the schema is in `json_schema`, beside its name and `strict`,
// which has no effect, because schemas are always enforced.
class CompletionFormat {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const { return json_; }

    schema::SchemaRef format;  // Null: text.

private:
    boost::json::object json_;
};

}  // namespace parley::api
