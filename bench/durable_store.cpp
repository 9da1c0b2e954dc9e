// Durable audit events by 64 clients of the store inside one process, without HTTP: the cost of
// group commit compared with raw SQLite. bench/durable_store.py builds and runs it:
//
//   durable_store FOLDER SECONDS   prints: events per second, events per commit
#include "base/clock.hpp"
#include "base/id.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace parley;

namespace {

constexpr int clients = 64;
constexpr int loops = 2;

Task<void> client(store::Store& store, const std::atomic<bool>& over, std::atomic<long>& done)
{
    while (!over) {
        const TimePoint now = system_clock().now();
        const auto kept = co_await store.audit().append({.id = new_id("evt", now),
                                                         .at = now,
                                                         .actor = "command line",
                                                         .action = "note",
                                                         .target = "a note of usual length",
                                                         .address = "127.0.0.1",
                                                         .request_id = new_id("req", now)});
        if (!kept) std::abort();
        ++done;
    }
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 3) return 2;
    std::atomic<long> commits = 0;
    store::sqlite::Options options{.file = std::string(arguments[1]) + "/store.db"};
    options.on_commit = [&commits](std::size_t, auto) { ++commits; };
    std::atomic<bool> over = false;
    std::atomic<long> done = 0;
    std::vector<std::unique_ptr<boost::asio::io_context>> contexts;
    for (int i = 0; i < loops; ++i)
        contexts.push_back(std::make_unique<boost::asio::io_context>(1));
    const auto store = std::move(store::open_sqlite_store(options)).value();
    for (int i = 0; i < clients; ++i)
        boost::asio::co_spawn(*contexts[static_cast<std::size_t>(i % loops)],
                              client(*store, over, done), boost::asio::detached);
    const auto begun = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (auto& context : contexts) threads.emplace_back([&context] { context->run(); });
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(arguments[2])));
    const double events = static_cast<double>(done);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    over = true;
    for (auto& thread : threads) thread.join();
    std::printf("%.0f %.1f\n", events / took.count(), events / static_cast<double>(commits));
}
