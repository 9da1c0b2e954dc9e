#include "cli/man_pages.hpp"

#include "app/settings_sources.hpp"
#include "cli/cli.hpp"
#include "cli/roff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>

namespace parley::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// As the page writes it.
std::string roff(std::string_view text)
{
    std::string escaped;
    for (const char each : text)
        escaped += each == '-'    ? "\\-"
                   : each == '\'' ? "\\(aq"
                   : each == '"'  ? "\\(dq"
                                  : std::string(1, each);
    return escaped;
}

void expect_all_of(const CLI::App& command, const std::string& page)
{
    for (const CLI::Option* option : command.get_options())
        for (const auto& name : option->get_lnames())
            EXPECT_THAT(page, HasSubstr(roff("--" + name)));
    for (const CLI::App* verb : command.get_subcommands(nullptr)) {
        EXPECT_THAT(page, HasSubstr(roff(verb->get_description()))) << verb->get_name();
        expect_all_of(*verb, page);
    }
}

TEST(ManualPageOfTheProgram, HasEveryCommandAndOption)
{
    const Program program;
    const auto page = program_page(program.description(), "2026-11-17");
    EXPECT_THAT(page, HasSubstr("\n.TH PARLEY 1 2026-11-17 \"Parley "));
    EXPECT_THAT(page, HasSubstr("\n.SS parley user add\n"));
    EXPECT_THAT(page, HasSubstr("\nparley user add [options] NAME\n"));
    EXPECT_THAT(page, HasSubstr("\nparley chat [options] [MESSAGE]\n"));
    expect_all_of(program.description(), page);
}

TEST(ManualPageOfTheSettings, HasEverySettingWithItsVariableAndDefault)
{
    const auto page = settings_page("2026-11-17");
    EXPECT_THAT(page, HasSubstr("\n.SS [server]\n.TP\n\\fBserver.listen\\fR\n"));
    EXPECT_THAT(page, HasSubstr("Default: \\(dq127.0.0.1:8080\\(dq."));
    EXPECT_THAT(page, HasSubstr("\n.SS [models.NAME]\n"));
    for (const auto& setting : app::all_settings()) {
        EXPECT_THAT(page, HasSubstr("\\fB" + setting.key + "\\fR\n"));
        EXPECT_THAT(page, HasSubstr("\\fB" + app::variable_of(setting.key) + "\\fR"));
    }
}

TEST(ManualPage, EscapesTextsThatAreRequestsOfRoff)
{
    ManualPage page("A", 1, "Manual", "");
    page.paragraph(".so /etc/passwd\n'br \\n `a -b` it's ü");
    EXPECT_THAT(
        page.text(),
        HasSubstr("\n\\&.so /etc/passwd\n\\(aqbr \\en \\fBa \\-b\\fR it\\(aqs \\[u00FC]\n"));
    page.literal("a `b`\n\n.c\n");
    EXPECT_THAT(page.text(), HasSubstr("\n.nf\na \\(gab\\(ga\n.sp\n\\&.c\n.fi\n"));
}

TEST(ManualPage, HasNoBlankLines)
{
    const Program program;
    EXPECT_THAT(program_page(program.description(), ""), Not(HasSubstr("\n\n")));
    EXPECT_THAT(settings_page(""), Not(HasSubstr("\n\n")));
}

}  // namespace
}  // namespace parley::cli
