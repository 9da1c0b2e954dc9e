#include "reference/reference.hpp"

#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::reference {

using namespace api;
namespace {

class ReferenceTest : public testing::Test {
protected:
    Reference reference{
        {.version = "1.2.3", .public_url = "https://chat.example.org", .contact = "ana@x.org"}};
    TestedPipeline tested{reference_routes(),
                          [this](Services& services) { services.add(reference); }};
};

TEST_F(ReferenceTest, IsGivenOutAsJsonAndAsYaml)
{
    const auto json = tested.ask("GET", "/openapi.json");
    EXPECT_EQ(json.status, 200);
    EXPECT_EQ(field_of(json, "Content-Type"), "application/json");
    EXPECT_EQ(json_of(json).at("info").at("contact").at("email"), "ana@x.org");
    EXPECT_EQ(json_of(json).at("servers").at(0).at("url"), "https://chat.example.org");

    const auto yaml = tested.ask("GET", "/openapi.yaml");
    EXPECT_EQ(field_of(yaml, "Content-Type"), "application/yaml");
    EXPECT_TRUE(yaml.body.starts_with("openapi: \"3.1.0\"\n"));
}

TEST_F(ReferenceTest, IsNotSentAgainToWhoeverHasIt)
{
    const auto first = tested.ask("GET", "/openapi.json");
    EXPECT_EQ(field_of(first, "Cache-Control"), "public, max-age=300");
    const std::string tag = field_of(first, "ETag");
    for (const std::string& list : {tag, "\"x\", " + tag, std::string("*"), "W/\"y\",W/" + tag}) {
        const auto again = tested.ask("GET", "/openapi.json", {"If-None-Match: " + list});
        EXPECT_EQ(again.status, 304) << list;
        EXPECT_EQ(again.body, "");
        EXPECT_EQ(field_of(again, "ETag"), tag);
    }
    EXPECT_EQ(tested.ask("GET", "/openapi.json", {"If-None-Match: \"x\""}).status, 200);
    EXPECT_NE(field_of(tested.ask("GET", "/openapi.yaml"), "ETag"), tag);
}

}  // namespace
}  // namespace parley::reference
