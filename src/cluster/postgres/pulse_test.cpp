#include "cluster/postgres/pulse.hpp"

#include <gtest/gtest.h>

namespace parley::cluster::postgres {
namespace {

// Each start of a server is an incarnation of its own: their number has no bound.
TEST(Pulse, ForgetsServersThatHaveToldNothingForLong)
{
    const std::chrono::steady_clock::time_point begin{};
    PulseRequest request{.me = 1};
    request.logs[2] = {.number = 7, .at = begin};
    request.logs[3] = {.number = 8, .at = begin + std::chrono::seconds(40)};
    forget_silent(request, begin + std::chrono::seconds(59));
    EXPECT_NE(statement_of(request).find("WHEN 2 THEN 7 WHEN 3 THEN 8"), std::string::npos);
    forget_silent(request, begin + std::chrono::seconds(61));
    EXPECT_EQ(statement_of(request).find("WHEN 2"), std::string::npos);
    EXPECT_NE(statement_of(request).find("WHEN 3 THEN 8"), std::string::npos);
    forget_silent(request, begin + std::chrono::minutes(2));
    EXPECT_EQ(statement_of(request).find("CASE replica"), std::string::npos);
}

}  // namespace
}  // namespace parley::cluster::postgres
