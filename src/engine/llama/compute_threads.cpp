#include "engine/llama/compute_threads.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <ggml-cpu.h>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

// Without it, an event loop waits up to 5 ms for a core. Loading a model runs before this, and is
// short.
constexpr int niceness = 10;

constexpr std::size_t longest_name = 16;  // With the final zero.

// The CPU clock of a thread, with the kernel's numbering for threads of this process.
clockid_t clock_of(pid_t thread)
{
    constexpr unsigned per_thread = 4;
    constexpr unsigned scheduled = 2;
    return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | per_thread | scheduled);
}

// The clocks of all other threads with this name.
std::vector<clockid_t> clocks_of(const std::string& name)
{
    std::vector<clockid_t> found;
    std::error_code error;
    std::filesystem::directory_iterator thread("/proc/self/task", error);
    for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
        std::string its_name;
        std::getline(std::ifstream(thread->path() / "comm"), its_name);
        const int id = std::atoi(thread->path().filename().c_str());
        if (its_name == name && id != ::gettid()) found.push_back(clock_of(id));
    }
    return found;
}

ThreadChoice::Time read(clockid_t clock)
{
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

int usable_cores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
}

void ComputeThreads::Freed::operator()(ggml_threadpool* pool) const { ggml_threadpool_free(pool); }

std::unique_ptr<ComputeThreads> ComputeThreads::make(int most)
{
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
    // ggml does not expose its threads. They inherit the name of the thread that creates them.
    static std::atomic<unsigned> pools = 0;
    const std::string name = "model-" + std::to_string(pools++ % 1'000'000);
    char before[longest_name] = {};
    ::prctl(PR_GET_NAME, before);
    ::prctl(PR_SET_NAME, name.c_str());
    ggml_threadpool_params params = ggml_threadpool_params_default(most);
    params.poll = 0;  // Idle threads sleep at once.
    std::unique_ptr<ComputeThreads> made(new ComputeThreads(most));
    made->pool_.reset(ggml_threadpool_new(&params));
    made->clocks_ = clocks_of(name);
    ::prctl(PR_SET_NAME, before);
    return made->pool_ ? std::move(made) : nullptr;
}

void ComputeThreads::begin()
{
    begun_ = std::chrono::steady_clock::now();
    processor_before_ = processor_time();
}

void ComputeThreads::end()
{
    choice_.computed(std::chrono::steady_clock::now() - begun_,
                     processor_time() - processor_before_);
}

ThreadChoice::Time ComputeThreads::processor_time() const
{
    ThreadChoice::Time sum = read(CLOCK_THREAD_CPUTIME_ID);
    for (const clockid_t clock : clocks_) sum += read(clock);
    return sum;
}

}  // namespace parley::engine::llama
