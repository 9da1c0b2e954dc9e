#include "fields/write.hpp"

#include "fields/read.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace parley::fields {
namespace {

enum class Status { queued, running };
constexpr auto names_of(Status)
{
    return std::array{Named{Status::queued, "queued"}, Named{Status::running, "running"}};
}

struct Part {
    std::string text;

    static constexpr auto fields()
    {
        return std::tuple(field("text", &Part::text, "What it says."));
    }
};

struct Answer {
    std::string id = {};
    Status status = Status::running;
    std::optional<std::int64_t> queue_position = {};
    std::optional<std::string> hint = {};
    Nullable<std::string> parent = {};
    std::vector<Part> content = {};
    std::map<std::string, std::string> metadata = {};
    double share = 0.1;
    bool last = false;
    std::optional<Part> message = {};
    boost::json::object extra = {};

    static constexpr auto fields()
    {
        return std::tuple(field("id", &Answer::id, "Its name."),
                          field("status", &Answer::status, "How far it is."),
                          field("queue_position", &Answer::queue_position, "From 1."),
                          field("hint", &Answer::hint, "Only sometimes.", omit_if_absent),
                          field("parent", &Answer::parent, "What it follows."),
                          field("content", &Answer::content, "Its parts."),
                          field("metadata", &Answer::metadata, "Yours."),
                          field("share", &Answer::share, "A part."),
                          field("last", &Answer::last, "The end."),
                          field("message", &Answer::message, "The answer."),
                          field("extra", &Answer::extra, "Free."));
    }
};

TEST(FieldWrite, WritesFieldsInTheOrderOfTheirDeclaration)
{
    const Answer answer{.id = "run_1",
                        .queue_position = 3,
                        .hint = "soon",
                        .parent = "msg_1",
                        .content = {{"a"}, {"b"}},
                        .metadata = {{"k", "v"}, {"l", "w"}},
                        .last = true,
                        .message = Part{"Hi"},
                        .extra = {{"x", 1}}};
    EXPECT_EQ(write(answer), R"({"id":"run_1","status":"running","queue_position":3,"hint":"soon",)"
                             R"("parent":"msg_1","content":[{"text":"a"},{"text":"b"}],)"
                             R"("metadata":{"k":"v","l":"w"},"share":0.1,"last":true,)"
                             R"("message":{"text":"Hi"},"extra":{"x":1}})");
}

TEST(FieldWrite, WritesWhatIsAbsentAsNullOrNotAtAll)
{
    EXPECT_EQ(write(Answer()),
              R"({"id":"","status":"running","queue_position":null,"content":[],)"
              R"("metadata":{},"share":0.1,"last":false,"message":null,"extra":{}})");
    Answer answer;
    answer.parent = nullptr;
    EXPECT_NE(write(answer).find(R"("parent":null)"), std::string::npos);
}

TEST(FieldWrite, MakesAValueThatSaysTheSame)
{
    Answer answer{.id = "a\"\n\u2028", .content = {{"a"}}, .metadata = {{"k", "v"}}};
    EXPECT_EQ(boost::json::value(to_json(answer)), *json::parse(write(answer)));
    answer.parent = nullptr;
    answer.message = Part{std::string("\0", 1)};
    EXPECT_EQ(boost::json::value(to_json(answer)), *json::parse(write(answer)));
}

TEST(FieldWrite, ReadsBackWhatItWrote)
{
    Answer answer{.id = "run_1", .status = Status::queued, .content = {{"a"}}, .share = 1e-7};
    Faults faults;
    const Answer again = read<Answer>(*json::parse(write(answer)), faults);
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(write(again), write(answer));
}

TEST(FieldWrite, HasNoWordForWhatIsNotANumber)
{
    const Answer answer{.share = std::numeric_limits<double>::quiet_NaN()};
    EXPECT_NE(write(answer).find(R"("share":null)"), std::string::npos);
    EXPECT_TRUE(json::parse(write(answer)));
    EXPECT_TRUE(to_json(answer).at("share").is_null());
}

TEST(FieldWrite, SendsValidJsonWhateverTheText)
{
    const Answer answer{.id = "\xFF\x01\"\\"};
    EXPECT_EQ(json::parse(write(answer))->at("id"), "\uFFFD\x01\"\\");
}

TEST(FieldWrite, AppendsToATextThatHasBegun)
{
    std::string text = "data: ";
    append(text, Part{"Hi"});
    EXPECT_EQ(text, R"(data: {"text":"Hi"})");
}

TEST(FieldWrite, TreatsAnEnumWithoutANameAsABug)
{
    EXPECT_THROW(name_of(static_cast<Status>(7)), std::logic_error);
}

}  // namespace
}  // namespace parley::fields
