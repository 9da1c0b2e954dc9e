#include "base/ready.hpp"

#include "base/block_on.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace parley {
namespace {

Task<std::string> slow(std::string value, int& runs)
{
    ++runs;
    co_return value;
}

TEST(Ready, HasAValueAtOnce)
{
    Ready<std::string> ready("here");
    ASSERT_TRUE(ready.is_ready());
    EXPECT_EQ(ready.take(), "here");
}

TEST(Ready, WaitsForATaskThatHasNotBegun)
{
    int runs = 0;
    Ready<std::string> later = slow("later", runs);
    ASSERT_FALSE(later.is_ready());
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(block_on(later.wait()), "later");
    EXPECT_EQ(runs, 1);
}

TEST(Ready, GivesItsValueToATaskToo)
{
    Ready<std::string> ready("here");
    EXPECT_EQ(block_on(ready.wait()), "here");
}

TEST(Ready, MovesWhatCannotBeCopied)
{
    Ready<std::unique_ptr<int>> ready(std::make_unique<int>(7));
    Ready<std::unique_ptr<int>> moved = std::move(ready);
    EXPECT_EQ(*moved.take(), 7);
}

TEST(Ready, TakesAResultOrItsError)
{
    const auto halved = [](int number) -> Ready<Result<int>> {
        if (number % 2 != 0) return invalid_request("odd");
        return number / 2;
    };
    EXPECT_EQ(halved(4).take().value(), 2);
    EXPECT_EQ(halved(3).take().error().message, "odd");
    Ready<Result<>> nothing = Result<>();
    EXPECT_TRUE(nothing.take());
}

TEST(Ready, PassesOnWhatItsTaskThrows)
{
    Ready<int> later = []() -> Task<int> {
        throw std::runtime_error("broken");
        co_return 0;
    }();
    EXPECT_THROW(block_on(later.wait()), std::runtime_error);
}

}  // namespace
}  // namespace parley
