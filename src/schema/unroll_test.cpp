#include "schema/unroll.hpp"

#include "schema/depths.hpp"
#include "schema/recent.hpp"
#include "schema/schemas_for_tests.hpp"
#include "schema/settle.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace parley::schema {
namespace {

SchemaRef schema_of(const std::string& text)
{
    auto schema = restored(text);
    EXPECT_TRUE(schema) << text;
    return schema ? schema : any_object();
}

TEST(Unroll, CountsNodesWithoutCopyingThem)
{
    RandomSchemas schemas(21);
    int counted = 0;
    for (int i = 0; i < 60; ++i) {
        const auto schema = restored(schemas.next());
        if (!schema) continue;
        const auto copy = unrolled(*schema);
        ASSERT_TRUE(copy);
        EXPECT_EQ(unrolled_size(*schema), copy->nodes.size()) << schema->text;
        ++counted;
    }
    EXPECT_GT(counted, 20);
}

// Definitions of objects of which each refers to all of them: a copy has one of each per level.
std::string all_in_all(int count)
{
    std::string defs;
    for (int i = 0; i < count; ++i) {
        std::string properties;
        for (int j = 0; j < count; ++j)
            properties += (j ? ",\"p" : "\"p") + std::to_string(j) + R"(":{"$ref":"#/$defs/d)" +
                          std::to_string((i + j) % count) + "\"}";
        defs += (i ? ",\"d" : "\"d") + std::to_string(i) + R"(":{"type":"object","properties":{)" +
                properties + "}}";
    }
    return R"({"$ref":"#/$defs/d0","$defs":{)" + defs + "}}";
}

TEST(Unroll, RefusesCopiesThatAreTooLarge)
{
    EXPECT_TRUE(restored(all_in_all(15)));
    EXPECT_FALSE(call_of({{"a", schema_of(all_in_all(20))},
                          {"b", schema_of(all_in_all(20))},
                          {"c", schema_of(all_in_all(20))}}));
}

// A chain of references through all nodes, in an order with many turns.
std::vector<Node> zigzag(std::size_t count)
{
    std::vector<Node> nodes(count, {.kind = Kind::null});
    constexpr std::size_t stride = 7;  // Has no divisor in common with `count`.
    for (std::size_t i = 0; i + 1 < count; ++i)
        nodes[i * stride % count] = {.kind = Kind::any_of, .branches = {(i + 1) * stride % count}};
    return nodes;
}

TEST(Settle, FollowsAChainInOneCallForEachOfItsLinks)
{
    const auto nodes = zigzag(1000);
    std::vector<bool> reached(nodes.size());
    std::size_t calls = 0;
    until_settled(nodes, [&](NodeIndex index) {
        ++calls;
        const auto& branches = nodes[index].branches;
        const bool is_end = branches.empty() || reached[branches.front()];
        if (reached[index] || !is_end) return false;
        reached[index] = true;
        return true;
    });
    EXPECT_EQ(std::accumulate(reached.begin(), reached.end(), 0), 1000);
    EXPECT_LE(calls, 2 * nodes.size());
}

TEST(Depths, AreThoseOfTheEndOfAChain)
{
    const Depths depths(zigzag(1000));
    EXPECT_EQ(depths.least(0), 0U);
    EXPECT_EQ(depths.most(0), 0U);
}

TEST(Recent, KeepsTheLastSchemas)
{
    const auto with_title = [](std::size_t i) {
        return R"({"type":"null","title":")" + std::to_string(i) + "\"}";
    };
    const auto first = schema_of(with_title(0));
    EXPECT_EQ(schema_of(with_title(0)), first) << "it is made once";
    for (std::size_t i = 1; i < Recent::max_schemas; ++i) schema_of(with_title(i));
    EXPECT_EQ(schema_of(with_title(0)), first) << "it is the oldest one now";
    schema_of(with_title(Recent::max_schemas));
    EXPECT_EQ(recent_schemas().find(with_title(0)), first) << "it was used again";
    EXPECT_FALSE(recent_schemas().find(with_title(1)));
}

}  // namespace
}  // namespace parley::schema
