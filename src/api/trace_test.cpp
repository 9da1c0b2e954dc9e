#include "api/trace.hpp"

#include "api/exchange_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

std::string taken(const std::string& value)
{
    RecordedExchange exchange("GET", "/", {"traceparent: " + value});
    return traceparent(exchange.request());
}

TEST(Trace, IsTakenOverIfItIsValid)
{
    const std::string valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    EXPECT_EQ(taken(valid), valid);
    EXPECT_EQ(trace_id(valid), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(taken("cc" + valid.substr(2) + "-more"), valid) << "A later version";
    for (const std::string& bad :
         {std::string(), std::string("x"), "ff" + valid.substr(2), valid + "-more", valid + "0",
          valid.substr(0, 54), "00-" + std::string(32, '0') + valid.substr(35),
          valid.substr(0, 36) + std::string(16, '0') + "-01",
          "00-0AF7651916CD43DD8448EB211C80319C" + valid.substr(35),
          "00-0af7651916cd43dd8448eb211c8031\"c" + valid.substr(35), valid.substr(0, 53) + "g1"})
        EXPECT_EQ(taken(bad), "") << bad;
}

}  // namespace
}  // namespace parley::api
