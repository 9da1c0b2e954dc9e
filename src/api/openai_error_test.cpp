#include "api/openai_error.hpp"

#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

boost::json::object told(const Error& error)
{
    return json_of(openai_error_response(error)).at("error").as_object();
}

std::string param_at(std::string where)
{
    return std::string(told(validation_failed({{std::move(where), "required", "is required"}}))
                           .at("param")
                           .as_string());
}

TEST(OpenAiError, NamesThePlaceAsTheirClientsWriteIt)
{
    EXPECT_EQ(param_at("#/temperature"), "temperature");
    EXPECT_EQ(param_at("#/messages/0/content/12/text"), "messages[0].content[12].text");
    EXPECT_EQ(param_at("#/7"), "7");
    EXPECT_EQ(param_at("after"), "after");
}

TEST(OpenAiError, TellsAllFaultsInOneSentence)
{
    const auto error = told(validation_failed(
        {{"#/a", "required", "is required"}, {"#/b/0", "too_long", "is too long"}}));
    EXPECT_EQ(error.at("message"), "a: is required; b[0]: is too long");
    EXPECT_EQ(error.at("code"), "validation_failed");
}

TEST(OpenAiError, HasNoParameterForTheWholeBody)
{
    const auto error = told(validation_failed({{"#", "not_allowed", "takes no body"}}));
    EXPECT_TRUE(error.at("param").is_null());
    EXPECT_EQ(error.at("message"), "takes no body");
}

TEST(OpenAiError, HidesWhatIsInside)
{
    const auto error = told({Errc::internal, "a secret path", "more of it"});
    EXPECT_EQ(error.at("message"), "The server could not complete the request.");
    EXPECT_EQ(error.at("type"), "server_error");
}

TEST(OpenAiError, EveryErrorHasAStatusAndACode)
{
    for (int i = 0; i <= static_cast<int>(Errc::internal); ++i) {
        const Error error{static_cast<Errc>(i), "why"};
        const auto response = openai_error_response(error);
        EXPECT_GE(response.status, 400);
        EXPECT_FALSE(told(error).at("code").as_string().empty());
        EXPECT_EQ(field_of(response, "Content-Type"), "application/json");
    }
}

Result<> fails() { return Error{Errc::unknown_model, "no"}; }

TEST(OpenAiError, IsAPropertyOfThePath)
{
    TestedPipeline tested({route<fails>("GET", "/theirs", "fails", "Theirs", open, openai_errors),
                           route<fails>("GET", "/ours", "fails", "Ours", open)});
    EXPECT_EQ(tested.ask("GET", "/theirs").status, 404);
    EXPECT_EQ(tested.ask("GET", "/ours").status, 422);
    EXPECT_TRUE(json_of(tested.ask("POST", "/theirs")).contains("error"));
    EXPECT_EQ(field_of(tested.ask("POST", "/theirs"), "Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(code_of(tested.ask("POST", "/ours")), "method_not_allowed");
}

}  // namespace
}  // namespace parley::api
