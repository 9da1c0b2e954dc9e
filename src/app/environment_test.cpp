#include "app/environment.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::app {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string complaint_of_environment(const Environment& environment)
{
    const auto checked = check_variables(environment);
    return checked ? "" : checked.error().message;
}

TEST(Environment, NamesTheVariableOfASetting)
{
    EXPECT_EQ(variable_of("server.listen"), "PARLEY_SERVER_LISTEN");
    EXPECT_EQ(variable_of("store.min_free_mib"), "PARLEY_STORE_MIN_FREE_MIB");
}

TEST(Environment, RefusesWhatIsOursAndMeansNothing)
{
    EXPECT_THAT(complaint_of_environment({{"PARLEY_SERVER_LISEN", "x"}}),
                HasSubstr("PARLEY_SERVER_LISEN is not a setting of Parley. Did you mean "
                          "PARLEY_SERVER_LISTEN?"));
    EXPECT_THAT(complaint_of_environment({{"PARLEY_DTA", "x"}}),
                HasSubstr("Did you mean PARLEY_DATA?"));
    EXPECT_THAT(complaint_of_environment({{"PARLEY_WEATHER", "x"}}),
                Not(HasSubstr("Did you mean")));
    EXPECT_THAT(complaint_of_environment({{"PARLEY_", "x"}}), HasSubstr("is not a setting"));
    EXPECT_THAT(complaint_of_environment({{"PARLEY_server_listen", "x"}}),
                HasSubstr("PARLEY_SERVER_LISTEN?"));
    EXPECT_THAT(complaint_of_environment({{"PARLEY_PORT", "8080"}}), HasSubstr("is not a setting"));
}

TEST(Environment, LeavesOthersAlone)
{
    EXPECT_EQ(complaint_of_environment({{"PATH", "x"}, {"PARLEYS", "x"}, {"XPARLEY_A", "x"}}), "");
    EXPECT_EQ(complaint_of_environment(
                  {{"PARLEY_DATA", "x"}, {"PARLEY_CACHE", "x"}, {"PARLEY_BINARY", "x"}}),
              "");
    EXPECT_EQ(complaint_of_environment({{"PARLEY_LOG_LEVEL", "any: its value is judged later"}}),
              "");
}

TEST(Environment, LeavesAloneWhatKubernetesPutsThere)
{
    EXPECT_EQ(complaint_of_environment({{"PARLEY_SERVICE_HOST", "10.0.0.1"},
                                        {"PARLEY_SERVICE_PORT", "80"},
                                        {"PARLEY_SERVICE_PORT_HTTP", "80"},
                                        {"PARLEY_PORT", "tcp://10.0.0.1:80"},
                                        {"PARLEY_PORT_80_TCP", "tcp://10.0.0.1:80"},
                                        {"PARLEY_PORT_80_TCP_PROTO", "tcp"},
                                        {"PARLEY_PORT_80_TCP_PORT", "80"},
                                        {"PARLEY_PORT_80_TCP_ADDR", "10.0.0.1"},
                                        {"PARLEY_REDIS_SERVICE_HOST", "10.0.0.2"},
                                        {"PARLEY_REDIS_PORT", "tcp://10.0.0.2:6379"}}),
              "");
}

}  // namespace
}  // namespace parley::app
