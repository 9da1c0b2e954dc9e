#include "schema/judge.hpp"

#include "base/json.hpp"
#include "schema/made_for_tests.hpp"
#include "schema/schemas_for_tests.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <random>

namespace parley::schema {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

constexpr int definitions = 4;

// Definitions that refer to each other in many ways, so that a value can be tried in many ways.
class Ambiguous {
public:
    explicit Ambiguous(unsigned seed) : random_(seed) {}

    std::string schema()
    {
        object defs;
        for (int i = 0; i < definitions; ++i) {
            array branches{{{"type", "null"}}};
            for (int count = upto(4); count >= 0; --count) branches.push_back(branch());
            defs["d" + std::to_string(i)] = {{"anyOf", std::move(branches)}};
        }
        return boost::json::serialize(object{{"$ref", "#/$defs/d0"}, {"$defs", std::move(defs)}});
    }

    // Deeply nested, with a leaf that often does not fit.
    value nested(int levels)
    {
        if (levels == 0) return upto(1) == 0 ? value(nullptr) : value("leaf");
        if (upto(2) == 0) return object{{"a", nested(levels - 1)}, {"b", nullptr}};
        array items{nested(levels - 1)};
        if (upto(3) == 0) items.push_back(nullptr);
        return items;
    }

private:
    int upto(int most) { return std::uniform_int_distribution(0, most)(random_); }

    object reference() { return {{"$ref", "#/$defs/d" + std::to_string(upto(definitions - 1))}}; }

    object branch()
    {
        if (upto(2) > 0) return {{"type", "array"}, {"items", reference()}};
        return {{"type", "object"}, {"properties", {{"a", reference()}, {"b", reference()}}}};
    }

    std::mt19937 random_;
};

std::size_t size_of(const Schema& schema)
{
    std::size_t size = 0;
    for (const Node& node : schema.nodes)
        size += 1 + node.properties.size() + node.branches.size() + node.literals.size();
    return size;
}

std::size_t size_of(const value& json)
{
    std::size_t size = 1;
    if (const auto* text = json.if_string()) size += text->size();
    if (const auto* items = json.if_array())
        for (const value& item : *items) size += size_of(item);
    if (const auto* members = json.if_object())
        for (const auto& member : *members) size += 1 + size_of(member.value());
    return size;
}

void expect_few_steps(const Schema& schema, const value& json)
{
    Judge judge(schema.nodes);
    judge.fits(json, schema.root);
    EXPECT_LE(judge.steps(), 3 * size_of(schema) * size_of(json)) << schema.text << '\n'
                                                                  << boost::json::serialize(json);
}

TEST(Judge, TakesFewStepsHoweverManyWaysThereAreToReadAValue)
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        Ambiguous made(seed);
        const Schema schema = unchecked(made.schema());
        for (int levels = 1; levels <= 24; ++levels) expect_few_steps(schema, made.nested(levels));
    }
}

TEST(Judge, TakesFewStepsForValuesOfAllKinds)
{
    RandomSchemas schemas(11);
    for (int i = 0; i < 50; ++i)
        if (const auto schema = restored(schemas.next()))
            expect_few_steps(*schema, *json::parse(smallest_of(*schema)));
}

// Two definitions of which each can stand for the other: 2^18 ways to read 18 levels.
constexpr const char* two_ways =
    R"({"$ref":"#/$defs/a","$defs":{
        "a":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/a"}},
                      {"type":"array","items":{"$ref":"#/$defs/b"}},{"type":"null"}]},
        "b":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/b"}},
                      {"type":"array","items":{"$ref":"#/$defs/a"}},{"type":"integer"}]}}})";

std::string in_arrays(const std::string& leaf, std::size_t levels)
{
    return std::string(levels, '[') + leaf + std::string(levels, ']');
}

TEST(Judge, DecidesDeepValuesThatCanBeReadInManyWays)
{
    const Schema schema = unchecked(two_ways);
    EXPECT_EQ(valid(schema, in_arrays("\"x\"", 22)).error().message,
              "The answer does not match its schema");
    const std::string fitting = in_arrays("5", 22);
    const auto answer = valid(schema, fitting);
    ASSERT_TRUE(answer);
    EXPECT_EQ(compact(schema, *answer), fitting);
}

TEST(Judge, GivesUpIfTheProductIsTooLarge)
{
    std::string text = R"({"type":"array","items":{"anyOf":[{"type":"null"})";
    for (int i = 0; i < 200; ++i)
        text += R"(,{"type":"array","maxItems":)" + std::to_string(i + 3) +
                R"(,"items":{"type":"boolean"}})";
    const auto schema = restored(text + R"(,{"type":"array"}]}})");
    ASSERT_TRUE(schema);
    const array list(2'000, array{true, false, 1});  // Each item fits the last branch only.
    EXPECT_FALSE(is_valid(*schema, list));
    EXPECT_EQ(valid(*schema, boost::json::serialize(list)).error().message,
              "The answer takes too long to check against its schema");
    EXPECT_TRUE(is_valid(*schema, array(100, array{true, false, 1})));
}

TEST(Judge, CountsCharactersOfLongTexts)
{
    const auto schema = restored(R"({"type":"string","minLength":2,"maxLength":3})");
    for (const auto& [text, fits] :
         {std::pair("\"\xF0\x9F\x98\x80\"", false),
          std::pair("\"\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"", true), std::pair("\"abc\"", true),
          std::pair("\"abcd\"", false), std::pair("\"aaaaaaaaaaaaaaaaaaaaaaaa\"", false)})
        EXPECT_EQ(valid(*schema, text).has_value(), fits) << text;
    const auto open = restored(R"({"type":"string","minLength":2})");
    EXPECT_TRUE(valid(*open, "\"aaaaaaaaaaaaaaa\""));
    EXPECT_FALSE(valid(*open, "\"\xF0\x9F\x98\x80\""));
}

}  // namespace
}  // namespace parley::schema
