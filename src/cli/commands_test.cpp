#include "cli/cli.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::cli {
namespace {

using testing::HasSubstr;

struct Ran {
    int code = 0;
    std::string out;
    std::string err;
};

Ran run(std::vector<const char*> arguments)
{
    arguments.insert(arguments.begin(), "parley");
    Program program;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = program.run(static_cast<int>(arguments.size()), arguments.data());
    return {.code = code,
            .out = testing::internal::GetCapturedStdout(),
            .err = testing::internal::GetCapturedStderr()};
}

TEST(Commands, AreAllDescribedWithExamples)
{
    const Program program;
    for (const CLI::App* command : program.description().get_subcommands(nullptr)) {
        EXPECT_THAT(command->get_footer(), HasSubstr("Examples:\n")) << command->get_name();
        EXPECT_THAT(command->get_footer(), HasSubstr("\n  parley " + command->get_name()));
        EXPECT_TRUE(command->get_description().ends_with('.')) << command->get_name();
    }
}

TEST(Commands, ShowOwnExamplesAndCommonOptionsInEachHelp)
{
    const Program program;
    for (const CLI::App* command : program.description().get_subcommands(nullptr))
        for (const CLI::App* verb : command->get_subcommands(nullptr)) {
            const std::string name = "parley " + command->get_name() + " " + verb->get_name();
            EXPECT_THAT(verb->get_footer(), HasSubstr("Examples:\n  " + name)) << name;
            for (const char* option : {"--data", "--json"})
                EXPECT_THAT(verb->help(), HasSubstr(option)) << name;
        }
}

TEST(Commands, AllTakeADataDirectoryAndJson)
{
    const Program program;
    for (const CLI::App* command : program.description().get_subcommands(nullptr)) {
        EXPECT_NE(command->get_option_no_throw("--data"), nullptr) << command->get_name();
        EXPECT_NE(command->get_option_no_throw("--json"), nullptr) << command->get_name();
    }
}

TEST(Commands, TakeSettingsIfTheyWorkWithADataDirectory)
{
    const Program program;
    for (const CLI::App* command : program.description().get_subcommands(nullptr)) {
        const std::string& name = command->get_name();
        const bool has_none =
            name == "openapi" || name == "completion" || name == "man" || name == "version";
        for (const char* option : {"--config", "--set"})
            EXPECT_EQ(command->get_option_no_throw(option) == nullptr, has_none) << name << option;
    }
}

TEST(Commands, GuessWhatWasMeant)
{
    const struct {
        std::vector<const char*> arguments;
        const char* told;
    } wrong[] = {
        {{}, "A command is missing"},
        {{"sevre"}, "There is no command sevre. Did you mean serve?"},
        {{"docter"}, "Did you mean doctor?"},
        {{"weather"}, "There is no command weather. See `parley --help`"},
        {{"serve", "--lisen", "a:1"}, "There is no option --lisen. Did you mean --listen?"},
        {{"serve", "--lisen=a:1"}, "There is no option --lisen. Did you mean --listen?"},
        {{"serve", "--weather"}, "There is no option --weather. See `parley serve --help`"},
        {{"serve", "-x"}, "There is no option -x."},
        {{"serve", "extra"}, "`parley serve` does not take \"extra\"."},
        {{"--jsn", "version"}, "Did you mean --json?"},
        {{"--json", "version"}, "belongs after the command: `parley version --json`"},
        {{"serve", "--listen"}, "--listen"},
        {{"serve", "--data", ""}, "--data: the value is empty"},
        {{"serve", "--config", ""}, "--config: the value is empty"},
        {{"completion", "csh"}, "csh not in {bash,zsh,fish}"},
        {{"completion"}, "shell is required"},
    };
    for (const auto& [arguments, told] : wrong) {
        const auto ran = run(arguments);
        EXPECT_EQ(ran.code, misunderstood);
        EXPECT_EQ(ran.out, "");
        EXPECT_THAT(ran.err, testing::StartsWith("parley: "));
        EXPECT_THAT(ran.err, HasSubstr(told));
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    }
}

TEST(Commands, PrintTheVersion)
{
    EXPECT_THAT(run({"version"}).out, testing::StartsWith("parley "));
    EXPECT_THAT(run({"version", "--json"}).out, HasSubstr(R"({"name":"parley","version":")"));
    EXPECT_EQ(run({"--version"}).code, succeeded);
}

}  // namespace
}  // namespace parley::cli
