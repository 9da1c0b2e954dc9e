// Random schemas of the supported subset.
#pragma once

#include "schema/schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <random>
#include <string>

namespace parley::schema {

class RandomSchemas {
public:
    explicit RandomSchemas(unsigned seed) : random_(seed) {}

    std::string next()
    {
        auto schema = any_kind(3);
        schema["$defs"] = {{"leaf", any_kind(0)}, {"tree", tree()}};
        return boost::json::serialize(schema);
    }

private:
    using object = boost::json::object;

    int upto(int most) { return std::uniform_int_distribution(0, most)(random_); }

    // A recursion that may end.
    static object tree()
    {
        return {{"type", "object"},
                {"properties",
                 {{"value", {{"type", {"integer", "null"}}}},
                  {"children", {{"type", "array"}, {"items", {{"$ref", "#/$defs/tree"}}}}}}},
                {"required", {"value"}}};
    }

    object any_kind(int levels)
    {
        switch (upto(levels > 0 ? 10 : 6)) {
            case 0:
                return {{"type", "boolean"}};
            case 1:
                return integers();
            case 2:
                return {{"type", "number"}};
            case 3:
            case 4:
                return texts();
            case 5:
                return {{"enum", {"red", "rose", "r\u00f6d", 1, 12, nullptr, true, {"a", "b"}}}};
            case 6:
                return {{"type", {"string", "null", "integer"}}};
            case 7:
                return {{"$ref", upto(1) == 0 ? "#/$defs/leaf" : "#/$defs/tree"}};
            case 8:
                return lists(levels);
            case 9:
                return {{"anyOf", {any_kind(levels - 1), any_kind(levels - 1)}}};
            default:
                return objects(levels);
        }
    }

    object integers()
    {
        const int first = upto(2000) - 1000;
        const int second = upto(2'000'000) - 1000;
        object schema{{"type", "integer"}};
        if (upto(2) > 0) schema["minimum"] = std::min(first, second);
        if (upto(2) > 0) schema["exclusiveMaximum"] = std::max(first, second) + 1;
        return schema;
    }

    object texts()
    {
        constexpr std::array formats{"date", "time", "date-time", "uuid"};
        if (upto(3) == 0)
            return {{"type", "string"}, {"format", formats.at(static_cast<std::size_t>(upto(3)))}};
        object schema{{"type", "string"}};
        const int least = upto(4);
        if (upto(1) == 0) schema["minLength"] = least;
        if (upto(1) == 0) schema["maxLength"] = least + upto(6);
        return schema;
    }

    object lists(int levels)
    {
        const int least = upto(3);
        object schema{{"type", "array"}, {"maxItems", least + upto(3)}};
        if (upto(1) == 0) schema["minItems"] = least;
        if (upto(3) > 0) schema["items"] = any_kind(levels - 1);
        return schema;
    }

    object objects(int levels)
    {
        object properties;
        boost::json::array required;
        const int count = upto(5);
        for (int i = 0; i < count; ++i) {
            const std::string name = std::string(static_cast<std::size_t>(i % 3), 'k') +
                                     std::to_string(i) + (i == 4 ? "\"\\\u00fc" : "");
            properties[name] = any_kind(levels - 1);
            if (upto(1) == 0) required.emplace_back(name);
        }
        return {{"type", "object"}, {"properties", properties}, {"required", required}};
    }

    std::mt19937 random_;
};

}  // namespace parley::schema
