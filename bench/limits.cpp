// How long a decision of the limiter takes, with the clock and the file that a server uses: the
// same user again and again, a thousand users in turn, a login with two keys, a refusal, a task;
// and two threads at once, each with users of its own.
//
//   ninja -C build/release room_limits_local
//   clang++-19 -std=c++20 -O2 -DNDEBUG -DBOOST_ASIO_SEPARATE_COMPILATION -Isrc bench/limits.cpp \
//       build/release/src/libroom_{limits_local,limits,base}.a \
//       -lsodium -lfmt -lboost_json -o build/bench_limits && build/bench_limits
#include "base/run.hpp"
#include "limits/local/local_limiter.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

namespace {

using namespace parley;
using namespace parley::limits;

double processor_time()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Costs what the real clock costs, and lets 0.7 s pass with every look: a user
// is always admitted, and its ring is full of times.
class HastyClock final : public Clock {
public:
    TimePoint now() const override { return boot_clock().now(); }
    SteadyPoint steady() const override
    {
        passed_ += std::chrono::milliseconds(700);
        return boot_clock().steady() + passed_;
    }

private:
    mutable std::chrono::nanoseconds passed_{};
};

// The median of 25 measurements, in nanoseconds for each call.
double time_of(const std::function<void(int)>& call)
{
    constexpr int calls = 50'000;
    std::vector<double> figures;
    for (int i = 0; i < 25; ++i) {
        const double begin = processor_time();
        for (int j = 0; j < calls; ++j) call(j);
        figures.push_back((processor_time() - begin) / calls);
    }
    std::ranges::sort(figures);
    return figures[figures.size() / 2];
}

void show(const char* what, double nanoseconds)
{
    std::printf("%-44s %6.0f ns\n", what, nanoseconds);
}

}  // namespace

int main()
{
    const auto file = std::filesystem::temp_directory_path() / "parley-bench-limits";
    std::filesystem::remove(file);
    // A window of a second and the limits of a server: nearly all calls are refusals, as under an
    // attack.
    auto limiter =
        LocalLimiter::open({.file = file, .limits = {.window = std::chrono::seconds(1)}});
    if (!limiter) {
        std::puts(limiter.error().message.c_str());
        return EXIT_FAILURE;
    }
    LocalLimiter& local = **limiter;
    std::vector<std::string> users;
    for (int i = 0; i < 1000; ++i) users.push_back("usr_01JK2M3N4P5Q6R7S8T9V" + std::to_string(i));
    std::vector<std::string> others;
    for (const auto& user : users) others.push_back(user + "x");
    const Key home = Key::address(boost::asio::ip::make_address("2001:db8::1"));

    const auto user = [&](int i) -> const std::string& { return users[i % 1000]; };
    show("two readings of the clock", time_of([](int) {
             static_cast<void>(boot_clock().steady());
             static_cast<void>(boot_clock().now());
         }));
    show("one user (refused)", time_of([&](int) {
             static_cast<void>(local.admit_now(Class::general, Key::user(users[0])));
         }));
    show("one user, peeked at", time_of([&](int) {
             static_cast<void>(local.peek_now(Class::general, Key::user(users[0])));
         }));
    show("1,000 users in turn (mostly refused)", time_of([&](int i) {
             static_cast<void>(local.admit_now(Class::general, Key::user(user(i))));
         }));
    show("a login: address and account name", time_of([&](int i) {
             static_cast<void>(local.admit_now(Class::auth, Keys(home, Key::account(user(i)))));
         }));
    std::vector<std::thread> threads;
    for (const auto* list : {&users, &others})
        threads.emplace_back([&local, list] {
            show("two threads, 1,000 users each", time_of([&](int i) {
                     static_cast<void>(
                         local.admit_now(Class::general, Key::user((*list)[i % 1000])));
                 }));
        });
    for (auto& thread : threads) thread.join();

    // Every call is an admission, and the user's ring is full.
    limiter->reset();
    std::filesystem::remove(file);
    const HastyClock hasty;
    auto admitting = LocalLimiter::open({.file = file, .clock = &hasty});
    show("one user (admitted)", time_of([&](int) {
             static_cast<void>((*admitting)->admit_now(Class::general, Key::user(users[0])));
         }));
    show("1,000 users in turn (admitted)", time_of([&](int i) {
             static_cast<void>((*admitting)->admit_now(Class::general, Key::user(user(i))));
         }));
    boost::asio::io_context loop{1};
    boost::asio::co_spawn(
        loop,
        [&]() -> Task<> {
            constexpr int calls = 500'000;
            const double begin = processor_time();
            for (int i = 0; i < calls; ++i)
                static_cast<void>(
                    co_await (*admitting)->admit(Class::general, Key::user(users[0])));
            show("one user (admitted), as a task", (processor_time() - begin) / calls);
        },
        [](std::exception_ptr) {});
    loop.run();
    admitting->reset();
    std::filesystem::remove(file);
}
