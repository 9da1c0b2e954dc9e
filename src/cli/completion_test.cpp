#include "cli/completion.hpp"

#include "cli/cli.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::cli {
namespace {

using testing::HasSubstr;

// A program with all elements that a description can have.
class CompletionTest : public testing::Test {
protected:
    CompletionTest()
    {
        CLI::App* user = program.add_subcommand("user", "Tell of users, and don't stop");
        user->add_option("--data", text, "Where")->type_name("DIR");
        user->add_flag("--json", flag, "One object per line");
        CLI::App* add = user->add_subcommand("add", "Add one");
        add->add_option("--from", text, "A file")->type_name("FILE");
        add->add_option("--set", text, "A setting")->type_name("KEY=VALUE");
        add->add_option("role", text, "What for")->check(CLI::IsMember({"member", "operator"}));
    }

    std::string text;
    bool flag = false;
    CLI::App program{"A program", "parley"};
};

TEST_F(CompletionTest, OffersCommandsOptionsAndChoices)
{
    const auto script = bash_completion(program);
    EXPECT_THAT(script, HasSubstr("'parley') COMPREPLY=($(compgen -W 'user --help'"));
    EXPECT_THAT(script,
                HasSubstr("'parley user') COMPREPLY=($(compgen -W 'add --help --data --json'"));
    EXPECT_THAT(script, HasSubstr("'parley user add') COMPREPLY=($(compgen -W '--help --from --set "
                                  "member operator --data --json'"));
}

TEST_F(CompletionTest, OffersWhatAnOptionTakes)
{
    const auto bash = bash_completion(program);
    EXPECT_THAT(bash, HasSubstr("'parley user --data') COMPREPLY=($(compgen -d"));
    EXPECT_THAT(bash, HasSubstr("'parley user add --data') COMPREPLY=($(compgen -d"));
    EXPECT_THAT(bash, HasSubstr("'parley user add --from') COMPREPLY=($(compgen -f"));
    EXPECT_THAT(bash, HasSubstr("server.listen= "));
    EXPECT_THAT(bash, testing::Not(HasSubstr("--json')"))) << "a flag takes nothing";
}

TEST_F(CompletionTest, QuotesWhatIsToldOfAWord)
{
    EXPECT_THAT(zsh_completion(program), HasSubstr("'user:Tell of users, and don'\\''t stop'"));
    EXPECT_THAT(fish_completion(program), HasSubstr("-d 'Tell of users, and don\\'t stop'"));
}

TEST_F(CompletionTest, KeepsCommandsOfCommandsApart)
{
    const auto fish = fish_completion(program);
    EXPECT_THAT(fish, HasSubstr("-n 'not __fish_seen_subcommand_from user' -a user"));
    EXPECT_THAT(fish, HasSubstr("-n '__fish_seen_subcommand_from user; and not "
                                "__fish_seen_subcommand_from add' -a add"));
    EXPECT_THAT(fish, HasSubstr("-n '__fish_seen_subcommand_from user; and "
                                "__fish_seen_subcommand_from add' -l from"));
}

TEST(Completion, KnowsEveryCommandAndOptionOfTheProgram)
{
    const Program program;
    for (const auto make : {bash_completion, zsh_completion, fish_completion}) {
        const auto script = make(program.description());
        for (const CLI::App* command : program.description().get_subcommands(nullptr)) {
            EXPECT_THAT(script, HasSubstr(command->get_name()));
            for (const CLI::Option* option : command->get_options())
                for (const auto& name : option->get_lnames()) EXPECT_THAT(script, HasSubstr(name));
        }
    }
}

}  // namespace
}  // namespace parley::cli
