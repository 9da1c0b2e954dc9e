#include "api/sampling.hpp"

#include "api/wire/completion_request.hpp"
#include "api/wire/query.hpp"
#include "base/json.hpp"
#include "fields/read.hpp"
#include "fields/write.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The faults of a body with this logit_bias.
template <class Body>
std::vector<std::string> faults_of(const std::string& bias)
{
    Faults faults;
    const std::string text =
        R"({"message":"hi","messages":[{"role":"user","content":"hi"}],"logit_bias":)" + bias + "}";
    fields::read<Body>(json::parse(text).value(), faults, fields::UnknownFields::ignored);
    std::vector<std::string> found;
    for (const Fault& each : faults) found.push_back(each.where + " " + each.code);
    return found;
}

template <class Body>
class LogitBiasTest : public testing::Test {};
using Bodies = testing::Types<QueryBody, CompletionBody>;
TYPED_TEST_SUITE(LogitBiasTest, Bodies);

TYPED_TEST(LogitBiasTest, HasTheSameBoundsInBothApis)
{
    std::string most = "{";
    for (int i = 0; i < 1024; ++i) most += (i ? ",\"" : "\"") + std::to_string(i) + "\":1";
    for (const std::string& right :
         {std::string("null"), std::string("{}"),
          std::string(R"({"0":-100,"50256":100,"4294967296":0.5})"), most + "}"})
        EXPECT_THAT(faults_of<TypeParam>(right), IsEmpty()) << right;
    for (const char* key : {"x", "-1", "1.5", "", "12345678901"})
        EXPECT_EQ(faults_of<TypeParam>("{\"" + std::string(key) + "\":1}").size(), 1U) << key;
    EXPECT_THAT(faults_of<TypeParam>(R"({"7":100.5})"), ElementsAre("#/logit_bias/7 out_of_range"));
    EXPECT_THAT(faults_of<TypeParam>(R"({"7":-101})"), ElementsAre("#/logit_bias/7 out_of_range"));
    EXPECT_EQ(faults_of<TypeParam>(R"({"7":"1"})").size(), 1U);
    EXPECT_EQ(faults_of<TypeParam>("[]").size(), 1U);
    EXPECT_EQ(faults_of<TypeParam>(most + ",\"1024\":1}").size(), 1U);
}

TEST(Sampling, TakesLogitBiasByTheNumbersOfTokens)
{
    engine::Sampling sampling;
    put_logit_bias(std::nullopt, sampling);
    EXPECT_THAT(sampling.logit_bias, IsEmpty());
    put_logit_bias(LogitBias{{"0", -100}, {"9999999999", 0.5}}, sampling);
    EXPECT_EQ(sampling.logit_bias,
              (std::map<std::int64_t, double>{{0, -100}, {9'999'999'999, 0.5}}));
}

// Keys of requests that an earlier version has answered stay bound to the same text.
TEST(Sampling, QueriesWithoutLogitBiasAreWrittenAsBefore)
{
    EXPECT_THAT(fields::write(QueryBody()), testing::Not(testing::HasSubstr("logit_bias")));
    QueryBody body;
    body.logit_bias = LogitBias{{"7", 1}};
    EXPECT_THAT(fields::write(body), testing::HasSubstr(R"("logit_bias":{"7":)"));
}

}  // namespace
}  // namespace parley::api
