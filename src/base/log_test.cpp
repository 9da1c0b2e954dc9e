#include "base/log.hpp"

#include "base/json.hpp"
#include "base/log_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parley::log {
namespace {

using namespace std::chrono_literals;

// Both ends of a pipe; the log writes into one of them.
class Pipe {
public:
    Pipe() { EXPECT_EQ(pipe(ends_.data()), 0); }
    ~Pipe()
    {
        close_input();
        close_output();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int input() const { return ends_[1]; }
    void close_input() { close(1); }
    void close_output() { close(0); }

    // Waits for so many lines.
    std::string read_lines(std::size_t count)
    {
        std::string text;
        char byte = 0;
        while (count > 0 && ::read(ends_[0], &byte, 1) == 1) {
            text += byte;
            count -= byte == '\n';
        }
        return text;
    }

    // Waits until the other end is closed.
    std::string read_all()
    {
        std::string text;
        std::array<char, 65536> part{};
        for (ssize_t bytes = 0; (bytes = ::read(ends_[0], part.data(), part.size())) > 0;)
            text.append(part.data(), static_cast<std::size_t>(bytes));
        return text;
    }

private:
    void close(std::size_t end)
    {
        if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
    }

    std::array<int, 2> ends_{};
};

std::size_t count_lines(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class LogTest : public testing::Test {
protected:
    ~LogTest() override
    {
        stop();
        start({});
        stop();  // Other tests log to stderr again.
    }

    ManualClock clock;
    Pipe output;
};

TEST_F(LogTest, WritesJsonWhereNoTerminalIs)
{
    start({.fd = output.input(), .clock = &clock});
    info("request served", kv("status", 200));
    EXPECT_EQ(
        output.read_lines(1),
        R"({"at":"2026-01-31T09:30:00.000Z","level":"info","message":"request served","status":200})"
        "\n");
}

TEST_F(LogTest, WritesForPeopleWhereAsked)
{
    start({.format = Format::people, .fd = output.input(), .clock = &clock});
    warn("careful");
    EXPECT_EQ(output.read_lines(1).substr(12), " warn  careful\n");
}

TEST_F(LogTest, LeavesOutWhatIsBelowItsLevel)
{
    start({.level = Level::warn, .fd = output.input()});
    debug("no");
    info("no");
    warn("yes");
    error("yes");
    stop();
    output.close_input();
    const std::string text = output.read_all();
    EXPECT_EQ(count_lines(text), 2);
    EXPECT_EQ(text.find("no"), std::string::npos);
}

TEST_F(LogTest, HasWrittenEverythingAfterAFlush)
{
    start({.fd = output.input()});
    for (int i = 0; i < 100; ++i) info("line", kv("i", i));
    EXPECT_TRUE(flush());
    stop();
    output.close_input();
    EXPECT_EQ(count_lines(output.read_all()), 100);
}

TEST_F(LogTest, WritesAtOnceWhenItHasStopped)
{
    start({.fd = output.input()});
    stop();
    info("late");
    EXPECT_EQ(count_lines(output.read_lines(1)), 1);
}

TEST_F(LogTest, KeepsTheLinesOfAllThreadsWhole)
{
    start({.fd = output.input()});
    std::string text;
    std::thread reader([&] { text = output.read_lines(4000); });
    std::vector<std::thread> writers;
    writers.reserve(4);
    for (int i = 0; i < 4; ++i)
        writers.emplace_back([i] {
            for (int j = 0; j < 1000; ++j) info("line", kv("thread", i), kv("number", j));
        });
    for (std::thread& writer : writers) writer.join();
    reader.join();
    EXPECT_EQ(count_lines(text), 4000);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        EXPECT_TRUE(json::parse(text.substr(begin, end - begin)));
        begin = end + 1;
    }
}

TEST_F(LogTest, NeverWaitsForABlockedOutputAndCountsWhatItDrops)
{
    start({.fd = output.input()});
    const std::string value(1000, 'x');
    constexpr std::uint64_t lines = 4000;  // Four times the queue, without a reader.
    for (std::uint64_t i = 0; i < lines; ++i) info("line", kv("value", value));

    std::string text;
    std::thread reader([&] { text = output.read_all(); });
    stop();
    output.close_input();
    reader.join();

    const auto last = json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->at("message"), "log lines dropped");
    const auto dropped = last->at("count").to_number<std::uint64_t>();
    EXPECT_GT(dropped, lines / 2);
    EXPECT_EQ(count_lines(text) - 1 + dropped, lines);
}

TEST_F(LogTest, GoesOnWhenTheReaderHasGone)
{
    start({.fd = output.input()});
    output.close_output();
    info("nobody hears this");
    EXPECT_TRUE(flush());
    Pipe other;
    start({.fd = other.input()});
    info("but this");
    const std::string text = other.read_lines(2);
    EXPECT_NE(text.find("but this"), std::string::npos);
    EXPECT_NE(text.find(R"("message":"log lines dropped","count":1)"), std::string::npos);
    stop();
}

TEST(LogWriter, IsLeftBehindWhenItsOutputStaysBlocked)
{
    Pipe output;
    Writer writer([](std::uint64_t) { return std::string("dropped\n"); });
    writer.start(output.input());
    const std::string line = std::string(1023, 'x') + '\n';
    for (int i = 0; i < 512; ++i) writer.append(line, true);
    EXPECT_FALSE(writer.flush(1ms));
    writer.stop(1ms);
    writer.append(line, false);  // Does not wait either.

    // When the test reads, the abandoned thread writes its lines and ends.
    std::string text;
    std::thread reader([&] { text = output.read_lines(513); });
    EXPECT_TRUE(writer.flush(10s));
    reader.join();
    EXPECT_EQ(count_lines(text), 513);
}

}  // namespace
}  // namespace parley::log
