#include "api/run_problems.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

TEST(RunProblems, AreStoredWithoutTheAddressOfTheServer)
{
    const RunProblems problems("https://chat.example.org");
    const RunError stored = problems.stored({.code = Errc::upstream_error,
                                             .message = "The model failed.",
                                             .retry_after = std::chrono::seconds(7)});
    EXPECT_EQ(stored, (RunError{"upstream_error", "The model failed.", std::chrono::seconds(7)}));
    const auto shown = problems.shown(stored);
    EXPECT_EQ(shown.at("type"), "https://chat.example.org/problems/upstream_error");
    EXPECT_EQ(shown.at("status"), 502);
    EXPECT_EQ(shown.at("code"), "upstream_error");
    EXPECT_EQ(shown.at("detail"), "The model failed.");
    EXPECT_EQ(shown.at("retry_after"), 7);
}

TEST(RunProblems, SayNothingOfInternalErrors)
{
    const RunProblems problems("");
    const RunError stored = problems.stored({Errc::internal, "a bug in line 7"});
    EXPECT_EQ(stored.detail.find("line 7"), std::string::npos);
}

TEST(RunProblems, OfALaterVersionAreInternalErrors)
{
    const auto shown = RunProblems("").shown({"no_such_problem", "It failed."});
    EXPECT_EQ(shown.at("status"), 500);
    EXPECT_EQ(shown.at("detail"), "It failed.");
    EXPECT_FALSE(shown.contains("retry_after"));
}

}  // namespace
}  // namespace parley::api
