// The main guarantee: a process that is killed at any moment loses no acknowledged event. The
// process is this program, started again as a child that only appends.
#include "journal/file/file_journal_for_tests.hpp"

#include <boost/asio/detached.hpp>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::journal::file {
namespace {

constexpr const char* folder_variable = "PARLEY_JOURNAL_CRASH_FOLDER";
constexpr int acknowledgements = 3;  // The child's end of the pipe.
constexpr std::uint32_t runs = 8;

struct Acknowledged {
    std::uint32_t run;
    std::uint32_t number;
};

std::string run_name(std::uint32_t run) { return fmt::format("run_{}", run); }

std::string text_of(std::uint32_t run, std::uint32_t number)
{
    return fmt::format("event {} of {}: {}", number, run, std::string(number * 37 % 400, 'x'));
}

Options small_segments() { return {.segment_size = 20'000}; }

std::vector<std::string> run_names()
{
    std::vector<std::string> names;
    for (std::uint32_t run = 0; run < runs; ++run) names.push_back(run_name(run));
    return names;
}

Task<> append_for_ever(Journal& journal, std::uint32_t run)
{
    const auto known = co_await journal.state(run_name(run));
    for (std::uint32_t number = *known ? (*known)->last + 1 : 1;; ++number) {
        const auto appended =
            co_await journal.append(run_name(run), number, one(text_of(run, number)));
        if (!appended) std::abort();
        const Acknowledged done{run, number};
        if (::write(acknowledgements, &done, sizeof done) != sizeof done) std::abort();
    }
}

// Only used by the test below.
TEST(JournalCrashChild, DISABLED_Appends)
{
    const char* folder = std::getenv(folder_variable);
    ASSERT_NE(folder, nullptr);
    auto journal = FileJournal::open(folder, small_segments());
    ASSERT_TRUE(journal);
    boost::asio::io_context loop{1};
    for (std::uint32_t run = 0; run < runs; ++run)
        boost::asio::co_spawn(loop, append_for_ever(**journal, run), boost::asio::detached);
    loop.run();
}

class JournalCrashTest : public FileJournalTest {
protected:
    // Lets a child append until it has acknowledged `count` events, kills it, and returns the last
    // acknowledged number of each run.
    std::map<std::string, std::uint32_t> kill_after(std::size_t count)
    {
        std::array<int, 2> pipe{};
        EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
        const pid_t child = start(pipe[1]);
        ::close(pipe[1]);
        std::map<std::string, std::uint32_t> last;
        Acknowledged each{};
        for (std::size_t seen = 0; ::read(pipe[0], &each, sizeof each) == sizeof each;) {
            last[run_name(each.run)] = each.number;
            if (++seen == count) ::kill(child, SIGKILL);  // The rest of the pipe is still read.
        }
        ::close(pipe[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
        return last;
    }

    pid_t start(int pipe)
    {
        posix_spawn_file_actions_t actions{};
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, pipe, acknowledgements);
        ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        ::setenv(folder_variable, folder.c_str(), 1);
        const std::string self = std::filesystem::read_symlink("/proc/self/exe");
        std::array<std::string, 3> words{self, "--gtest_also_run_disabled_tests",
                                         "--gtest_filter=JournalCrashChild.*"};
        const std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(),
                                             nullptr};
        pid_t child = 0;
        EXPECT_EQ(::posix_spawn(&child, self.c_str(), &actions, nullptr, arguments.data(), environ),
                  0);
        ::posix_spawn_file_actions_destroy(&actions);
        return child;
    }

    std::mt19937 random{20'260'131};
};

TEST_F(JournalCrashTest, LosesNothingAcknowledgedWhenItIsKilled)
{
    for (int round = 0; round < 50; ++round) {
        SCOPED_TRACE(round);
        const auto acknowledged = kill_after(1 + random() % 300);
        open(small_segments());
        const auto last = last_numbers(run_names());
        for (const auto& [run, number] : acknowledged) {
            ASSERT_TRUE(last.contains(run));
            EXPECT_GE(last.at(run), number);
        }
        for (std::uint32_t run = 0; run < runs; ++run) {
            const std::string name = run_name(run);
            if (!last.contains(name)) continue;
            const Texts texts = read(name, 0, 1'000'000);
            ASSERT_EQ(texts.size(), last.at(name));
            for (std::uint32_t number = 1; number <= texts.size(); ++number)
                ASSERT_EQ(texts[number - 1], text_of(run, number));
            if (random() % 10 == 0) journal->end(name);  // It begins again.
        }
        journal.reset();
    }
}

}  // namespace
}  // namespace parley::journal::file
