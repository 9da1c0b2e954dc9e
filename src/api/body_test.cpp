#include "api/pipeline_for_tests.hpp"
#include "api/problem.hpp"
#include "base/thread_time_for_tests.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace parley::api {
namespace {

struct Note {
    std::string text;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("text", &Note::text, "What it says."));
    }
};

Result<Note> echo(Body<Note> note) { return Note{note.text}; }
Result<Note> greet() { return Note{"hello"}; }

class BodyTest : public testing::Test {
protected:
    TestedPipeline tested{{
        route<echo>("POST", "/notes", "echo", "Description it back", open),
        route<greet>("GET", "/notes", "greet", "Greets", open),
    }};

    // The status, and the code of an error.
    std::string answer(std::string content_type, std::string body = R"({"text":"a"})")
    {
        std::vector<std::string> fields;
        if (!content_type.empty()) fields.push_back("Content-Type: " + content_type);
        return told(tested.ask("POST", "/notes", std::move(fields), std::move(body)));
    }
    std::string told(const http::Response& response)
    {
        const std::string status = std::to_string(response.status);
        return response.status < 400 ? status : status + " " + code_of(response);
    }
};

TEST_F(BodyTest, MustBeSentAsJson)
{
    EXPECT_EQ(answer("application/json"), "200");
    EXPECT_EQ(answer("Application/JSON"), "200");
    EXPECT_EQ(answer("application/json; charset=utf-8"), "200");
    EXPECT_EQ(answer("application/json;charset=\"UTF-8\""), "200");
    EXPECT_EQ(answer("application/json;"), "200");
    EXPECT_EQ(answer("application/json; version=1"), "200");
    for (const char* type :
         {"", "text/plain", "application/jsonp", "application/problem+json", "json",
          "application/json, text/plain", "application/json; charset=latin1",
          "application/json; charset=utf-16", "application/json; version=1; charset=x",
          "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ";"})
        EXPECT_EQ(answer(type), "415 unsupported_media_type") << type;
}

TEST_F(BodyTest, MustNotBeEncoded)
{
    const auto encoded = [&](const char* encoding) {
        return told(tested.ask(
            "POST", "/notes",
            {"Content-Type: application/json", std::string("Content-Encoding: ") + encoding},
            R"({"text":"a"})"));
    };
    EXPECT_EQ(encoded("identity"), "200");
    for (const char* encoding : {"gzip", "br", "deflate", "identity, gzip", ""})
        EXPECT_EQ(encoded(encoding), "415 unsupported_media_type") << encoding;
}

TEST_F(BodyTest, IsNotReadWhereTheRequestIsRefusedWithoutIt)
{
    const auto is_read = [&](const char* method, const char* target, const char* field) {
        RecordedExchange exchange(method, target, {field}, R"({"text":"a"})");
        tested.serve(exchange);
        return exchange.body_was_read;
    };
    EXPECT_TRUE(is_read("POST", "/notes", "Content-Type: application/json"));
    EXPECT_FALSE(is_read("POST", "/notes", "Content-Type: text/plain"));
    EXPECT_FALSE(is_read("POST", "/nothing", "Content-Type: application/json"));
    EXPECT_FALSE(is_read("PUT", "/notes", "Content-Type: application/json"));
    EXPECT_FALSE(is_read("POST", "/notes?%", "Content-Type: application/json"));
    EXPECT_FALSE(is_read("OPTIONS", "/notes", "Content-Type: application/json"));
    EXPECT_FALSE(is_read("GET", "/notes", "Content-Type: application/json"));
}

TEST_F(BodyTest, ThatDoesNotArriveIsTheProblemThatTheConnectionNames)
{
    for (const Errc errc : {Errc::body_too_large, Errc::request_timeout, Errc::overloaded}) {
        RecordedExchange exchange("POST", "/notes", {"Content-Type: application/json"});
        exchange.fail_body_with({errc, "no"});
        EXPECT_EQ(code_of(tested.serve(exchange)), problem_of(errc).code);
    }
}

TEST_F(BodyTest, MustBeValidJson)
{
    const std::string deep(100'000, '[');
    const std::string too_deep = std::string(33, '[') + std::string(33, ']');
    for (const std::string& body :
         {std::string(), std::string("{"), std::string(R"({"text":"a"} x)"),
          std::string(R"({"text":"a","text":"b"})"), std::string("{\"text\":\"\xff\"}"),
          std::string(R"({"text":"\ud800"})"), std::string("\xEF\xBB\xBF{}"),
          std::string(R"({"text":1e999})"), std::string(R"({"text":NaN})"),
          std::string("{\"text\":\"\0\"}", 12), std::string("\xff\xfe{\0}\0", 6), deep, too_deep})
        EXPECT_EQ(answer("application/json", body), "400 invalid_json") << body.substr(0, 40);
    EXPECT_EQ(answer("application/json", std::string(32, '[') + std::string(32, ']')),
              "422 validation_failed");
}

TEST_F(BodyTest, KeepsNulExactly)
{
    const auto response = tested.post_json("/notes", R"({"text":"a\u0000b"})");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(json_of(response).at("text").as_string(), std::string_view("a\0b", 3));
}

TEST_F(BodyTest, IsRefusedQuicklyHoweverDeep)
{
    const auto begun = thread_time();
    answer("application/json", std::string(1'000'000, '['));
    answer("application/json", [] {
        std::string nested;
        for (int i = 0; i < 100'000; ++i) nested += R"({"a":)";
        return nested;
    }());
    EXPECT_LT(thread_time() - begun, std::chrono::seconds(2));
}

TEST_F(BodyTest, WithCountlessFaultsGetsAnAnswerOfBoundedSize)
{
    std::string body = "{";
    for (int i = 0; i < 100'000; ++i) body += "\"" + std::to_string(i) + "\":0,";
    body.back() = '}';
    const auto response = tested.post_json("/notes", body);
    EXPECT_EQ(response.status, 422);
    EXPECT_LT(response.body.size(), 32U * 1024);
}

}  // namespace
}  // namespace parley::api
