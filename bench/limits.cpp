// The time of a decision of the limiter, called as in the pipeline: through the interface, with a
// new key for the request, and with the clock and the file of a server; beside a counter with fixed
// windows. The counter is simpler, but admits up to twice the limit around the end of a window,
// which the last two count. bench/limiter.py builds and runs it.
//
//   tools/build release bench_limits && build/release/bench_limits
//
// The column CPU counts: the cost of one decision for the calling thread, also with two threads.
#include "base/block_on.hpp"
#include "limits/local/local_limiter.hpp"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <stdlib.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using namespace parley;
using namespace parley::limits;

// As expensive as the real clock, and advances by a little more than 10 ms with every reading: with
// a window of a second and a limit of 100, a user is always admitted and its ring is full. For one
// thread.
class HastyClock final : public Clock {
public:
    TimePoint now() const override { return boot_clock().now(); }
    SteadyPoint steady() const override
    {
        passed_ += std::chrono::microseconds(10'100);
        return boot_clock().steady() + passed_;
    }

private:
    mutable std::chrono::nanoseconds passed_{};
};

// A count for each key, which begins again with each window.
class FixedWindow {
public:
    FixedWindow(const Clock& clock, std::uint32_t limit) : clock_(clock), limit_(limit) {}

    bool admit(const std::string& key)
    {
        const auto window = clock_.steady().time_since_epoch() / std::chrono::seconds(1);
        const std::lock_guard lock(mutex_);
        Count& count = counts_[key];
        if (count.window != window) count = {window, 0};
        if (count.admitted == limit_) return false;
        ++count.admitted;
        return true;
    }

private:
    struct Count {
        std::int64_t window = 0;
        std::uint32_t admitted = 0;
    };

    const Clock& clock_;
    const std::uint32_t limit_;
    std::mutex mutex_;
    std::unordered_map<std::string, Count> counts_;
};

class Bench {
public:
    explicit Bench(const Clock& clock)
    {
        std::string folder = std::filesystem::temp_directory_path() / "parley-bench-XXXXXX";
        if (!mkdtemp(folder.data())) std::abort();
        folder_ = folder;
        limiter_ = local::LocalLimiter::open({.file = folder_ / "limits",
                                              .limits = {.window = std::chrono::seconds(1)},
                                              .clock = &clock})
                       .value();
    }
    ~Bench() { std::filesystem::remove_all(folder_); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    Limiter& limiter() { return *limiter_; }

private:
    std::filesystem::path folder_;
    std::unique_ptr<Limiter> limiter_;
};

// With the real clock nearly all calls are refusals, as under an attack.
Limiter& refusing()
{
    static Bench bench(boot_clock());
    return bench.limiter();
}

Limiter& admitting()
{
    static const HastyClock clock;
    static Bench bench(clock);
    return bench.limiter();
}

std::vector<std::string> thousand_users(int thread)
{
    std::vector<std::string> users;
    for (int i = 0; i < 1000; ++i)
        users.push_back("usr_01JK2M3N4P5Q6R7S8T9V" + std::to_string(10'000 * thread + i));
    return users;
}

void two_readings_of_the_clock(benchmark::State& state)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(boot_clock().steady());
        benchmark::DoNotOptimize(boot_clock().now());
    }
}

template <Limiter& (*of)()>
void one_user(benchmark::State& state)
{
    const std::string user = thousand_users(0)[0];
    Limiter& limiter = of();
    for (auto _ : state)
        benchmark::DoNotOptimize(limiter.admit(Class::general, Key::user(user)).take());
}

template <Limiter& (*of)()>
void users_in_turn(benchmark::State& state)
{
    const auto users = thousand_users(state.thread_index());
    Limiter& limiter = of();
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(limiter.admit(Class::general, Key::user(users[next])).take());
        next = next + 1 == users.size() ? 0 : next + 1;
    }
}

void one_user_peeked_at(benchmark::State& state)
{
    const std::string user = thousand_users(0)[0];
    for (auto _ : state)
        benchmark::DoNotOptimize(refusing().peek(Class::general, Key::user(user)).take());
}

void a_login_by_address_and_name(benchmark::State& state)
{
    const auto users = thousand_users(0);
    const auto home = boost::asio::ip::make_address("2001:db8::1");
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            refusing()
                .admit(Class::auth, Keys(Key::address(home), Key::account(users[next])))
                .take());
        next = next + 1 == users.size() ? 0 : next + 1;
    }
}

// The call for limiters that may have to wait.
void one_user_as_a_task(benchmark::State& state)
{
    const std::string user = thousand_users(0)[0];
    block_on([](benchmark::State& loop, Limiter& limiter, const std::string& id) -> Task<int> {
        for (auto _ : loop)
            benchmark::DoNotOptimize(co_await limiter.admit(Class::general, Key::user(id)).wait());
        co_return 0;
    }(state, admitting(), user));
}

FixedWindow& fixed_window()
{
    static const HastyClock clock;
    static FixedWindow made(clock, 100);
    return made;
}

void fixed_window_one_user(benchmark::State& state)
{
    const std::string user = thousand_users(0)[0];
    for (auto _ : state) benchmark::DoNotOptimize(fixed_window().admit(user));
}

void fixed_window_thousand_users(benchmark::State& state)
{
    const auto users = thousand_users(0);
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(fixed_window().admit(users[next]));
        next = next + 1 == users.size() ? 0 : next + 1;
    }
}

// Bursts and pauses of one user, at times that a clock of its own tells; the counter `over` has the
// admissions that were more than the limit within a window.
void count_over(benchmark::State& state, ManualClock& clock, const std::function<bool()>& admit)
{
    constexpr std::size_t limit = 100;
    std::minstd_rand random(7);
    std::vector<SteadyPoint> admitted;
    for (auto _ : state) {
        const bool is_pause = random() % 256 == 0;
        clock.advance(std::chrono::microseconds(random() % (is_pause ? 900'000 : 2'000)));
        if (admit()) admitted.push_back(clock.steady());
    }
    double over = 0;
    for (std::size_t i = limit; i < admitted.size(); ++i)
        if (admitted[i] - admitted[i - limit] < std::chrono::seconds(1)) ++over;
    state.counters["over"] = over;
    state.counters["admitted"] = static_cast<double>(admitted.size());
}

void over_the_limit(benchmark::State& state)
{
    ManualClock clock;
    Bench bench(clock);
    const std::string user = thousand_users(0)[0];
    count_over(state, clock, [&] {
        return bench.limiter().admit(Class::general, Key::user(user)).take().value().admitted;
    });
}

void over_the_limit_fixed_window(benchmark::State& state)
{
    ManualClock clock;
    FixedWindow window(clock, 100);
    const std::string user = thousand_users(0)[0];
    count_over(state, clock, [&] { return window.admit(user); });
}

constexpr int requests_to_count = 1'000'000;

BENCHMARK(two_readings_of_the_clock);
BENCHMARK(one_user<admitting>)->Name("one_user_admitted");
BENCHMARK(users_in_turn<admitting>)->Name("thousand_users_admitted");
BENCHMARK(one_user<refusing>)->Name("one_user_refused");
BENCHMARK(users_in_turn<refusing>)->Name("thousand_users_refused")->ThreadRange(1, 2);
BENCHMARK(one_user_peeked_at);
BENCHMARK(a_login_by_address_and_name);
BENCHMARK(one_user_as_a_task);
BENCHMARK(fixed_window_one_user);
BENCHMARK(fixed_window_thousand_users);
BENCHMARK(over_the_limit)->Iterations(requests_to_count);
BENCHMARK(over_the_limit_fixed_window)->Iterations(requests_to_count);

}  // namespace

BENCHMARK_MAIN();
