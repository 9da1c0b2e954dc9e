#include "cli/settings_help.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::cli {
namespace {

using testing::HasSubstr;

std::string printed(bool json)
{
    testing::internal::CaptureStdout();
    print_settings_help(json);
    return testing::internal::GetCapturedStdout();
}

TEST(SettingsHelp, ShowsAnExampleThatWorks)
{
    app::Settings settings;
    const auto read = app::read_config(settings, example_settings, "the example");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_GE(read->size(), 10U);
    const auto checked = app::check(settings);
    EXPECT_TRUE(checked) << checked.error().message;
    EXPECT_THAT(printed(false), HasSubstr(example_settings));
}

TEST(SettingsHelp, ListsEverySettingWithItsVariable)
{
    const auto people = printed(false);
    const auto programs = printed(true);
    for (const auto& setting : app::all_settings()) {
        EXPECT_THAT(people, HasSubstr("\n  " + setting.key + " ("));
        EXPECT_THAT(people, HasSubstr(setting.form + " · " + app::variable_of(setting.key)));
        EXPECT_THAT(programs, HasSubstr("{\"key\":\"" + setting.key + "\""));
    }
    EXPECT_THAT(programs, HasSubstr(R"("default":512)"));
    EXPECT_THAT(programs, HasSubstr(R"("default":[])"));
}

}  // namespace
}  // namespace parley::cli
