#include "engine/upstream/renaming.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

TEST(Renaming, GivesAnObjectTheNameThatWasAskedFor)
{
    Renaming renaming("mine \"x\"");
    EXPECT_EQ(renaming.object(R"({"id":"a", "model" : "theirs","choices":[{"model":"no"}]})"),
              R"({"id":"a", "model" : "mine \"x\"","choices":[{"model":"no"}]})");
    EXPECT_EQ(renaming.object(R"({"m\u006fdel":null})"), R"({"m\u006fdel":"mine \"x\""})");
    EXPECT_EQ(renaming.object(R"({"id":"a"})"), R"({"id":"a"})");
}

TEST(Renaming, KnowsTheShapeOfAnObject)
{
    Renaming renaming("mine");
    EXPECT_TRUE(renaming.object(R"({"a":[1,{"b":"}"}]})"));
    for (const std::string_view other : {"<html>", R"({"model":"theirs")", "{\"a\":\"\xff\"}"})
        EXPECT_FALSE(renaming.object(other)) << other;
}

TEST(Renaming, GivesItToEachEvent)
{
    Renaming renaming("mine");
    EXPECT_EQ(renaming.events(": ping\n\ndata: {\"model\":\"a\"}\r\n\r\ndata:{\"model\":1}\n\n"),
              ": ping\n\ndata: {\"model\":\"mine\"}\r\n\r\ndata:{\"model\":\"mine\"}\n\n");
    EXPECT_EQ(renaming.events("event: x\ndata: {}\n\ndata: [DONE]\n\n"),
              "event: x\ndata: {}\n\ndata: [DONE]\n\n");
}

TEST(Renaming, NotesWhatTheAnswerCost)
{
    Renaming renaming("mine");
    renaming.events("data: {\"usage\":null,\"choices\":[]}\n\n");
    EXPECT_FALSE(renaming.usage());
    renaming.events("data: {\"choices\":[{}]}\n\n");
    renaming.events("data: {\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n");
    ASSERT_TRUE(renaming.usage());
    EXPECT_EQ(renaming.usage()->input_tokens, 7);
    EXPECT_EQ(renaming.usage()->output_tokens, 3);
}

TEST(Renaming, EstimatesWhatTheServerDoesNotTell)
{
    Renaming renaming("mine");
    const auto said = [&](const std::string& text) {
        renaming.events(R"(data: {"choices":[{"index":0,"delta":{"content":")" + text +
                        "\"},\"finish_reason\":null}]}\n\n");
        return renaming.usage()->output_tokens;
    };
    EXPECT_EQ(said("one"), 1);
    EXPECT_EQ(said(" two"), 2);
    const std::int64_t many = said(std::string(3000, 'x'));
    EXPECT_GE(many, 990) << "an event may have more than one token";
    EXPECT_LE(many, 1010);
}

TEST(Renaming, EstimatesNoMoreThanTheRequestAllows)
{
    const std::string events =
        "data: {\"choices\":[{\"delta\":{\"content\":\"" + std::string(300, 'x') + "\"}}]}\n\n";
    Renaming renaming("mine", 20);
    renaming.events(events);
    EXPECT_EQ(renaming.usage()->output_tokens, 20);
    renaming.events("data: {\"choices\":[],\"usage\":{\"completion_tokens\":25}}\n\n");
    EXPECT_EQ(renaming.usage()->output_tokens, 25) << "this is what the upstream told";
    Renaming unlimited("mine");
    unlimited.events(events);
    EXPECT_GT(unlimited.usage()->output_tokens, 70);
}

}  // namespace
}  // namespace parley::engine::upstream
