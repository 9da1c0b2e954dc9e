// The cost of the journal: 2,000 runs that each append 20 events a second, frames of about 120
// bytes, on two event loops, for ten seconds.
//
//   journal FOLDER [runs] [events per second] [seconds] [rhythm]
//
// Two rhythms: `steps`, in which all events of a millisecond arrive together, as from an engine
// that decodes all its runs in one step; and `spread`, in which every run has its own timer and no
// two events arrive together: the worst case for batching.
#include "journal/file/file_journal.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

using namespace parley;
using namespace std::chrono_literals;
using Time = std::chrono::steady_clock;
using Timer = boost::asio::basic_waitable_timer<Time, boost::asio::wait_traits<Time>, Executor>;

struct Load {
    int runs = 2000;
    int per_second = 20;
    std::chrono::seconds duration{10};
    bool steps = true;
};

struct Loop {
    boost::asio::io_context context{1};
    std::vector<Time::duration> latencies;
};

Task<> write_run(journal::Journal& journal, Loop& loop, Load load, int id, Time::time_point start)
{
    const std::string run = fmt::format("run_{:026}", id);
    const auto frame = std::make_shared<const std::string>(
        "event: message.delta\nid: 123456\ndata: " + std::string(78, 'x') + "\n\n");
    const auto period = std::chrono::duration_cast<Time::duration>(1s) / load.per_second;
    std::minstd_rand random(static_cast<unsigned>(id + 1));
    auto due = start + std::chrono::nanoseconds(random() % static_cast<unsigned>(period.count()));
    Timer timer(loop.context.get_executor());
    std::uint32_t number = 0;
    for (; due < start + load.duration; due += period) {
        // The end of the millisecond in which it is due.
        timer.expires_at(
            load.steps ? start + std::chrono::ceil<std::chrono::milliseconds>(due - start) : due);
        co_await timer.async_wait(awaiting);
        const auto before = Time::now();
        const auto appended = co_await journal.append(run, ++number, {&frame, 1});
        if (!appended) std::abort();
        loop.latencies.push_back(Time::now() - before);
    }
    journal.end(run);
}

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double process_cpu()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// CPU time of the threads with this name, in seconds.
double thread_cpu(const std::string& name)
{
    double total = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string comm;
        std::getline(std::ifstream(task.path() / "comm"), comm);
        if (comm != name) continue;
        double nanoseconds = 0;
        std::ifstream(task.path() / "schedstat") >> nanoseconds;
        total += nanoseconds / 1e9;
    }
    return total;
}

}  // namespace

int main(int count, char** words)
{
    if (count < 2) {
        fmt::print("usage: journal FOLDER [runs] [events per second] [seconds] [steps|spread]\n");
        return 2;
    }
    Load load;
    if (count > 2) load.runs = std::atoi(words[2]);
    if (count > 3) load.per_second = std::atoi(words[3]);
    if (count > 4) load.duration = std::chrono::seconds(std::atoi(words[4]));
    if (count > 5) load.steps = std::string_view(words[5]) == "steps";

    std::array<Loop, 2> loops;  // They outlive the journal.
    auto opened = journal::file::FileJournal::open(words[1]);
    if (!opened) {
        fmt::print("{}\n", opened.error().message);
        return 1;
    }
    journal::Journal& journal = **opened;

    const auto start = Time::now() + 100ms;
    for (int id = 0; id < load.runs; ++id) {
        Loop& loop = loops[static_cast<std::size_t>(id) % loops.size()];
        boost::asio::co_spawn(loop.context, write_run(journal, loop, load, id, start),
                              boost::asio::detached);
    }
    const double process_before = process_cpu();
    std::thread other([&] { loops[1].context.run(); });
    loops[0].context.run();
    other.join();

    const double elapsed = std::chrono::duration<double>(Time::now() - start).count();
    const double process = process_cpu() - process_before;
    const double writer = thread_cpu("journal");
    const auto figures = journal.figures();
    std::vector<Time::duration> all;
    for (const Loop& loop : loops)
        all.insert(all.end(), loop.latencies.begin(), loop.latencies.end());
    std::ranges::sort(all);
    const auto at = [&](double share) {
        const auto index = static_cast<std::size_t>(share * static_cast<double>(all.size() - 1));
        return std::chrono::duration<double, std::milli>(all[index]).count();
    };
    const auto events = static_cast<double>(figures.records);
    fmt::print("{} events in {:.1f} s ({:.0f}/s), {:.1f} per write, {:.0f} bytes each on disk\n",
               figures.records, elapsed, events / elapsed,
               events / static_cast<double>(figures.batches),
               static_cast<double>(figures.bytes_written) / events);
    fmt::print("writer thread {:.1f}% of a core, process with its load {:.1f}%\n",
               writer / elapsed * 100, process / elapsed * 100);
    fmt::print("append: p50 {:.3f} ms, p99 {:.3f} ms, p99.9 {:.3f} ms, max {:.3f} ms\n", at(0.5),
               at(0.99), at(0.999), at(1));
    fmt::print("write(2): mean {:.3f} ms, max {:.3f} ms\n",
               std::chrono::duration<double, std::milli>(figures.writes.sum).count() /
                   static_cast<double>(figures.batches),
               std::chrono::duration<double, std::milli>(figures.writes.max).count());
}
