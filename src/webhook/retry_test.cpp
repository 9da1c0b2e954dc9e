#include "webhook/retry.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley::webhook {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Retry, ComesAtThePublishedTimes)
{
    const std::vector<int> published{0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};
    for (std::size_t failed = 0; failed < published.size(); ++failed) {
        EXPECT_EQ(wait_before_next_try(failed, {}, 0), seconds(published[failed])) << failed;
        EXPECT_EQ(wait_before_next_try(failed, {}, 1), milliseconds(published[failed] * 1100));
    }
    EXPECT_EQ(wait_before_next_try(most_tries, {}, 0), std::nullopt);
    EXPECT_EQ(wait_before_next_try(most_tries, seconds(1), 0), std::nullopt);
}

TEST(Retry, WaitsAsTheReceiverAsks)
{
    EXPECT_EQ(wait_before_next_try(1, seconds(600), 0), seconds(600));
    EXPECT_EQ(wait_before_next_try(2, seconds(10), 0), seconds(300));
    EXPECT_EQ(wait_before_next_try(1, hours(48), 0), hours(24));
    EXPECT_EQ(wait_before_next_try(1, seconds(-5), 0), seconds(5));
    EXPECT_EQ(wait_before_next_try(1, seconds::max(), 1), std::chrono::minutes(24 * 66));
}

TEST(Retry, IsNeverEarlyNorMoreThanATenthLate)
{
    for (const double spread : {-1.0, 0.0, 0.3, 1.0, 7.0}) {
        const auto wait = wait_before_next_try(2, {}, spread).value();
        EXPECT_GE(wait, seconds(300));
        EXPECT_LE(wait, seconds(330));
    }
}

}  // namespace
}  // namespace parley::webhook
