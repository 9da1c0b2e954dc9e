// Processes that are killed while they count: at whatever instruction the kill occurs, no window
// holds more than N admissions, and no request is refused that had room.
#include "base/block_on.hpp"
#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <deque>
#include <random>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace parley::limits::local {
namespace {

using namespace std::chrono_literals;

constexpr int rounds = 60;
constexpr int users_asking = 6;
constexpr std::uint32_t limit = 5;
constexpr std::int64_t width = 10'000'000'000;

enum class Outcome : std::int32_t { begun, admitted, refused, overloaded, returning, returned };

struct Request {
    std::int64_t at;
    std::int32_t user;
    Outcome outcome;
    std::int64_t returned_at;
    std::size_t returned_before;  // The number of the next request.
};

// Shared by the processes, in memory that survives them.
struct Log {
    static constexpr std::size_t capacity = std::size_t{rounds} * 10'000;

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
        users = 4;  // Fewer places than users, so that places change hands all the time.
        addresses = 4;
    }

    // Sends requests until it is killed, before the shared log is full. Time continues where the
    // last process was killed.
    [[noreturn]] void ask_for_ever(std::mt19937::result_type seed)
    {
        std::size_t next = log->count;
        std::int64_t now = next > 0 ? log->requests[next - 1].at : 0;
        clock.advance(std::chrono::nanoseconds(now));
        auto opened = LocalLimiter::open(options());
        if (!opened) _exit(1);
        std::mt19937 random(seed);
        std::deque<std::pair<std::size_t, Decision>> lately;
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
            const Result<Decision> decision =
                (*opened)->admit(Class::general, Key::user(id)).take();
            std::atomic_ref(request.outcome)
                .store(!decision            ? Outcome::overloaded
                       : decision->admitted ? Outcome::admitted
                                            : Outcome::refused,
                       std::memory_order_release);
            if (decision && decision->admitted) lately.emplace_back(next - 1, *decision);
            if (lately.size() < 8 || random() % 4 != 0) continue;
            give_back(**opened, lately[random() % lately.size()], now, next);
            lately.clear();
        }
        while (true) pause();
    }

    void give_back(Limiter& from, const std::pair<std::size_t, Decision>& made, std::int64_t now,
                   std::size_t next)
    {
        Request& request = log->requests[made.first];
        request.returned_at = now;
        request.returned_before = next;
        const auto note = [&](Outcome outcome) {
            std::atomic_ref(request.outcome).store(outcome, std::memory_order_release);
        };
        note(Outcome::returning);
        const std::string id = std::to_string(request.user);
        const auto given =
            block_on(from.give_back(Class::general, Key::user(id), made.second.receipt));
        if (!given) _exit(1);
        note(Outcome::returned);
    }

    // The admissions of the same user that count at the time of a request, with or without the
    // request itself. Those that a kill interrupted are uncertain: they count only if `in_doubt`.
    std::size_t counted(std::size_t at, bool itself, bool in_doubt) const
    {
        const Request& asked = log->requests[at];
        std::size_t count = 0;
        for (std::size_t i = itself ? at + 1 : at; i-- > 0;) {
            const Request& each = log->requests[i];
            if (each.at <= asked.at - 2 * width) break;
            if (each.user != asked.user) continue;
            const bool given_back =
                each.outcome == Outcome::returning || each.outcome == Outcome::returned;
            const bool in_window = each.at > asked.at - width;
            if (each.outcome == Outcome::admitted || (given_back && at < each.returned_before) ||
                (in_doubt && each.outcome == Outcome::begun))
                count += in_window;
            else if (in_doubt && each.outcome == Outcome::returning)
                count += each.returned_at > asked.at - width;
        }
        return count;
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
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
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

    std::array<int, 6> outcomes{};
    for (std::size_t i = 0; i < log->count; ++i) {
        const Request& each = log->requests[i];
        ++outcomes[static_cast<std::size_t>(each.outcome)];
        if (each.outcome == Outcome::refused)
            ASSERT_GE(counted(i, false, true), limit) << "refused too early, at " << each.at;
        else if (each.outcome != Outcome::overloaded && each.outcome != Outcome::begun)
            ASSERT_LE(counted(i, true, false), limit) << "too many, at " << each.at;
    }
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::admitted)], 1000);
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::refused)], 1000);
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::overloaded)], 1000);
    EXPECT_GT(outcomes[static_cast<std::size_t>(Outcome::returned)], 1000);
    EXPECT_LE(outcomes[static_cast<std::size_t>(Outcome::begun)], rounds);
    EXPECT_LE(outcomes[static_cast<std::size_t>(Outcome::returning)], rounds);
}

}  // namespace
}  // namespace parley::limits::local
