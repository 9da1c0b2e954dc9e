#include "api/problem.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace parley::api {
namespace {

boost::json::object body_of(const http::Response& response)
{
    return boost::json::parse(response.body).as_object();
}

TEST(Problem, HasTheStatusesOfTheContract)
{
    std::map<std::string, int> statuses;
    for (const Problem& problem : problems()) statuses[std::string(problem.code)] = problem.status;
    const std::map<std::string, int> expected{
        {"invalid_request", 400},    {"invalid_json", 400},        {"not_found", 404},
        {"method_not_allowed", 405}, {"not_acceptable", 406},      {"request_timeout", 408},
        {"body_too_large", 413},     {"uri_too_long", 414},        {"unsupported_media_type", 415},
        {"expectation_failed", 417}, {"validation_failed", 422},   {"headers_too_large", 431},
        {"internal", 500},           {"not_implemented", 501},     {"overloaded", 503},
        {"shutting_down", 503},      {"invalid_cursor", 400},      {"invalid_idempotency_key", 400},
        {"missing_token", 401},      {"invalid_token", 401},       {"invalid_credentials", 401},
        {"insufficient_scope", 403}, {"session_busy", 409},        {"automation_busy", 409},
        {"quota_reached", 409},      {"run_cancelled", 409},       {"run_interrupted", 409},
        {"conflict", 409},           {"precondition_failed", 412}, {"events_expired", 410},
        {"unknown_model", 422},      {"message_too_long", 422},    {"idempotency_mismatch", 422},
        {"rate_limited", 429},       {"upstream_error", 502},      {"upstream_timeout", 504},
        {"model_unavailable", 503},  {"storage_unavailable", 503}, {"unsupported_schema", 422},
        {"invalid_output", 502},     {"budget_used_up", 429},      {"second_factor_required", 401},
        {"provider_error", 502}};
    EXPECT_EQ(statuses, expected);
}

TEST(Problem, IsFoundByCodeAndByErrc)
{
    for (const Problem& problem : problems()) {
        EXPECT_EQ(&problem_of(problem.errc), &problem);
        EXPECT_EQ(find_problem(problem.code), &problem);
        EXPECT_FALSE(http::reason_phrase(problem.status).empty()) << problem.status;
        EXPECT_GT(problem.explanation.size(), problem.title.size());
    }
    EXPECT_EQ(find_problem("nothing"), nullptr);
    EXPECT_EQ(find_problem(""), nullptr);
}

TEST(Problem, HasTheBodyOfTheContractFieldByField)
{
    Faults faults{{"#/message", "too_short", "must not be empty"},
                  {"limit", "out_of_range", "must be at most 100", Fault::Location::parameter}};
    const auto response =
        problem_response(validation_failed(std::move(faults)), "req_1", "https://chat.example.org");
    EXPECT_EQ(response.status, 422);
    EXPECT_EQ(response.fields.get("Content-Type"), "application/problem+json");
    EXPECT_EQ(response.fields.get("Retry-After"), std::nullopt);
    EXPECT_EQ(
        response.body,
        R"({"type":"https://chat.example.org/problems/validation_failed",)"
        R"("title":"The request is not valid","status":422,)"
        R"x("detail":"message: must not be empty (and 1 more)",)x"
        R"("instance":"urn:parley:request:req_1","code":"validation_failed","request_id":"req_1",)"
        R"("errors":[{"pointer":"#/message","code":"too_short","detail":"must not be empty"},)"
        R"({"parameter":"limit","code":"out_of_range","detail":"must be at most 100"}]})");
}

TEST(Problem, NamesItsTypeByAPathWhereTheServerDoesNotKnowItsAddress)
{
    const auto body = body_of(problem_response({Errc::not_found, "nothing"}, "req_1", ""));
    EXPECT_EQ(body.at("type"), "/problems/not_found");
    EXPECT_FALSE(body.contains("errors"));
}

TEST(Problem, CarriesFurtherMembersButNeverInPlaceOfItsOwn)
{
    Error error{Errc::overloaded, "busy"};
    error.extra = {{"run_id", "run_1"}, {"status", 200}};
    const auto body = body_of(problem_response(error, "req_1", ""));
    EXPECT_EQ(body.at("run_id"), "run_1");
    EXPECT_EQ(body.at("status"), 503);
}

TEST(Problem, SaysWhenToTryAgain)
{
    Error error{Errc::overloaded, "busy"};
    EXPECT_EQ(problem_response(error, "r", "").fields.get("Retry-After"), "1");
    error.retry_after = std::chrono::seconds(17);
    EXPECT_EQ(problem_response(error, "r", "").fields.get("Retry-After"), "17");
    EXPECT_EQ(problem_response({Errc::shutting_down, ""}, "r", "").fields.get("Retry-After"), "1");
    EXPECT_FALSE(problem_response({Errc::internal, ""}, "r", "").fields.get("Retry-After"));
}

TEST(Problem, TellsNothingOfTheInside)
{
    const Error error{Errc::internal, "the message", "the detail"};
    const auto response = problem_response(error, "req_1", "");
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body.find("the message"), std::string::npos);
    EXPECT_EQ(response.body.find("the detail"), std::string::npos);
    EXPECT_EQ(body_of(response).at("request_id"), "req_1");
}

TEST(Problem, IsJsonWhateverTheMessageContains)
{
    const std::string nasty("\"\\\n\x01\0<é", 8);
    const auto body = body_of(problem_response({Errc::invalid_request, nasty}, "req_1", ""));
    EXPECT_EQ(body.at("detail").as_string(), nasty);
}

}  // namespace
}  // namespace parley::api
