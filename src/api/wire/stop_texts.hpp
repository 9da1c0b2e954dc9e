// The texts before which an answer ends: one, or up to four.
#pragma once

#include "fields/special.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace parley::api {

// A list may be empty, because some OpenAI clients send an empty one.
class StopTexts {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at);
    static boost::json::object schema();
    boost::json::value to_json() const;

    std::vector<std::string> texts;

protected:
    bool read_at_least(std::size_t least, const boost::json::value& value,
                       const fields::FieldPath& at);
    static boost::json::object schema_with(std::size_t least);
};

// The same, but an empty list is refused.
class SomeStopTexts : public StopTexts {
public:
    bool read(const boost::json::value& value, const fields::FieldPath& at)
    {
        return read_at_least(1, value, at);
    }
    static boost::json::object schema() { return schema_with(1); }
};

}  // namespace parley::api
