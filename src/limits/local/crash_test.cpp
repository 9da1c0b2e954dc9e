// Processes that are killed while they count: whatever instruction the kill meets, no window holds
// more than N of what was admitted, and nothing is refused that had room.
#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <random>
#include <sched.h>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace parley::limits {
namespace {

using namespace std::chrono_literals;

constexpr int rounds = 60;
constexpr int users_asking = 6;
constexpr std::uint32_t limit = 5;
constexpr std::int64_t width = 10'000'000'000;

enum class Outcome : std::int32_t { begun, admitted, refused, overloaded };

struct Request {
    std::int64_t at;
    std::int32_t user;
    Outcome outcome;
};

// What the processes tell each other, in memory that survives them.
struct Log {
    static constexpr std::size_t capacity = rounds * 10'000;

    std::atomic<std::size_t> count;
    std::array<Request, capacity> requests;
};

class SharedLog {
public:
    SharedLog()
        : log_(static_cast<Log*>(mmap(nullptr, sizeof(Log), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
    }
    ~SharedLog() { munmap(log_, sizeof(Log)); }
    SharedLog(const SharedLog&) = delete;
    SharedLog& operator=(const SharedLog&) = delete;

    Log* operator->() const { return log_; }

private:
    Log* log_;
};

class CrashTest : public LocalLimiterTest {
protected:
    CrashTest()
    {
        limits = {.general = limit, .window = 10s};
        users = 4;  // Fewer than ask, so that places change hands all the time.
        addresses = 4;
    }

    // Asks until it is killed, which must happen in good time: the log is for all of them. Time
    // goes on where the last process was killed.
    [[noreturn]] void ask_for_ever(std::mt19937::result_type seed)
    {
        std::size_t next = log->count;
        std::int64_t now = next > 0 ? log->requests[next - 1].at : 0;
        clock.advance(std::chrono::nanoseconds(now));
        auto opened = LocalLimiter::open(options());
        if (!opened) _exit(1);
        std::mt19937 random(seed);
        for (const std::size_t end = next + Log::capacity / rounds; next < end;) {
            const auto step = static_cast<std::int64_t>(random() % 500'000'000);
            clock.advance(std::chrono::nanoseconds(step));
            now += step;
            Request& request = log->requests[next];
            request.at = now;
            request.user = static_cast<std::int32_t>(random() % users_asking);
            request.outcome = Outcome::begun;
            log->count.store(++next, std::memory_order_release);
            const std::string id = std::to_string(request.user);
            const Result<Decision> decision = *(*opened)->admit_now(Class::general, Key::user(id));
            std::atomic_ref(request.outcome)
                .store(!decision            ? Outcome::overloaded
                       : decision->admitted ? Outcome::admitted
                                            : Outcome::refused,
                       std::memory_order_release);
        }
        while (true) pause();
    }

    SharedLog log;
};

TEST_F(CrashTest, HoldsTheLimitsWhereverItIsKilled)
{
    log_of_open();
    limiter.reset();
    std::mt19937 random(3);
    for (int round = 0; round < rounds; ++round) {
        const std::size_t target = log->count + random() % 3000;
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            freopen("/dev/null", "w", stderr);
            ask_for_ever(random());
        }
        while (log->count.load(std::memory_order_acquire) < target) {
            ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0);
            sched_yield();
        }
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }

    const auto requests = std::span(log->requests).first(log->count);
    std::array<int, 4> outcomes{};
    for (int user = 0; user < users_asking; ++user) {
        std::vector<std::int64_t> admitted;  // For certain.
        std::vector<std::int64_t> counted;   // Perhaps: of those that a kill met nobody knows.
        for (const Request& each : requests) {
            if (each.user != user) continue;
            ++outcomes[static_cast<std::size_t>(each.outcome)];
            if (each.outcome == Outcome::refused)
                ASSERT_GE(std::ranges::count_if(
                              counted, [&](std::int64_t at) { return at > each.at - width; }),
                          limit)
                    << "refused too early, user " << user << " at " << each.at;
            if (each.outcome == Outcome::begun || each.outcome == Outcome::admitted)
                counted.push_back(each.at);
            if (each.outcome == Outcome::admitted) admitted.push_back(each.at);
            // What is long over is not looked at again.
            while (counted.size() > 10UL * limit) counted.erase(counted.begin());
        }
        for (std::size_t i = limit; i < admitted.size(); ++i)
            ASSERT_GE(admitted[i] - admitted[i - limit], width)
                << "too many, user " << user << " at " << admitted[i];
    }
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::admitted)], 1000);
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::refused)], 1000);
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::overloaded)], 1000);
    EXPECT_LE(outcomes[static_cast<std::size_t>(Outcome::begun)], rounds);
}

}  // namespace
}  // namespace parley::limits
