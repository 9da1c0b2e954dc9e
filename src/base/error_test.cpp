#include "base/error.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

namespace parley {
namespace {

TEST(Error, NamesTheFirstFaultAndCountsTheRest)
{
    const Error error = validation_failed({{"#/message", "too_short", "must not be empty"},
                                           {"#/seed", "wrong_type", "must be a whole number"}});
    EXPECT_EQ(error.code, Errc::validation_failed);
    EXPECT_EQ(error.message, "message: must not be empty (and 1 more)");
    EXPECT_EQ(error.faults.size(), 2);
}

TEST(Error, ListsFiftyFaultsAndSaysHowManyThereAre)
{
    Faults faults(60, {"#/a", "too_short", "must not be empty"});
    faults.push_back({"", "further_faults", "77"});
    faults.push_back({"#/b", "not_allowed", "cannot be"});
    const Error error = validation_failed(std::move(faults));
    EXPECT_EQ(error.faults.size(), 50);
    EXPECT_EQ(error.message, "a: must not be empty (138 faults, of which the first 50 are listed)");
}

TEST(Error, CallsTheWholeBodyByItsName)
{
    EXPECT_EQ(validation_failed({{"#", "wrong_type", "must be an object"}}).message,
              "body: must be an object");
}

TEST(Error, ShowsNoPointerToPeople)
{
    EXPECT_EQ(validation_failed({{"/issue/title", "required", "is required"}}).message,
              "issue/title: is required");
    EXPECT_EQ(validation_failed({{"", "too_short", "the filled message is empty"}}).message,
              "the filled message is empty");
}

TEST(Error, NamesParametersAsTheyAre)
{
    const Fault fault{"limit", "wrong_type", "must be a whole number", Fault::Location::parameter};
    EXPECT_EQ(validation_failed({fault}).message, "limit: must be a whole number");
}

TEST(Error, HasASentenceEvenWithoutFaults)
{
    EXPECT_EQ(validation_failed({}).message, "The request is not valid.");
}

TEST(Error, ThatNobodyCheckedIsABug)
{
    const Result<int> result = not_found("The session");
    EXPECT_EQ(result.error().message, "The session was not found");
    EXPECT_THROW(static_cast<void>(result.value()), std::logic_error);
}

TEST(Result, OfABoolIsMadeOfAnotherOneAsItIs)
{
    Result<bool> no = false;
    const Result<bool> failed = Error{Errc::internal, "failed"};
    // As co_return and emplace() do it, with what they get.
    EXPECT_FALSE(*Result<bool>(no));
    EXPECT_FALSE(*Result<bool>(static_cast<const Result<bool>&&>(no)));
    EXPECT_FALSE(Result<bool>(static_cast<const Result<bool>&&>(failed)).has_value());
    const auto task = [](Result<bool> given) -> Task<Result<bool>> {
        const Result<bool> kept = std::move(given);
        co_return kept;
    };
    EXPECT_FALSE(block_on(task(no)).value());
    EXPECT_FALSE(block_on(task(failed)).has_value());
    // Whether there is a value is no value.
    static_assert(!std::is_constructible_v<Result<bool>, Result<>&>);
    static_assert(!std::is_constructible_v<Result<bool>, Result<std::string>&>);
}

}  // namespace
}  // namespace parley
