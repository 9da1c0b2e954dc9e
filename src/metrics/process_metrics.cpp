#include "metrics/process_metrics.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace parley::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily single(const char* name, const char* help, MetricType type, double value)
{
    ClientMetric metric;
    (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    return {.name = name, .help = help, .type = type, .metric = {metric}};
}

struct Stat {
    double cpu_seconds = 0;
    double start_time = 0;  // Seconds after boot.
    double virtual_bytes = 0;
    double resident_bytes = 0;
};

// /proc/self/stat, see proc(5): the fields follow the name of the program, which may contain any
// character and ends at the last closing parenthesis.
std::optional<Stat> read_stat()
{
    std::ifstream file("/proc/self/stat");
    std::string text(std::istreambuf_iterator<char>(file), {});
    const std::size_t name_end = text.rfind(')');
    if (name_end == text.npos) return std::nullopt;
    std::istringstream words(text.substr(name_end + 1));
    const std::vector<std::string> field(std::istream_iterator<std::string>(words), {});
    constexpr std::size_t first = 3;  // field[0] is number 3 in the manual page.
    if (field.size() <= 24 - first) return std::nullopt;
    const auto number = [&](std::size_t index) { return std::stod(field[index - first]); };
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    return Stat{.cpu_seconds = (number(14) + number(15)) / ticks,
                .start_time = number(22) / ticks,
                .virtual_bytes = number(23),
                .resident_bytes = number(24) * page};
}

std::optional<double> boot_time()
{
    std::ifstream file("/proc/stat");
    std::string name;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        double seconds = 0;
        if (words >> name && name == "btime" && words >> seconds) return seconds;
    }
    return std::nullopt;
}

std::optional<double> open_files()
{
    std::error_code error;
    double count = 0;
    std::filesystem::directory_iterator at("/proc/self/fd", error);
    for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) ++count;
    if (error) return std::nullopt;
    return count;
}

}  // namespace

std::uint64_t resident_bytes()
{
    const auto stat = read_stat();
    return stat ? static_cast<std::uint64_t>(stat->resident_bytes) : 0;
}

std::vector<MetricFamily> process_metrics()
{
    std::vector<MetricFamily> families;
    const auto add = [&](auto... family) { families.push_back(single(family...)); };
    if (const auto stat = read_stat()) {
        add("process_cpu_seconds_total", "User and system CPU time in seconds.",
            MetricType::Counter, stat->cpu_seconds);
        add("process_resident_memory_bytes", "Resident memory size in bytes.", MetricType::Gauge,
            stat->resident_bytes);
        add("process_virtual_memory_bytes", "Virtual memory size in bytes.", MetricType::Gauge,
            stat->virtual_bytes);
        if (const auto boot = boot_time())
            add("process_start_time_seconds",
                "Start time of the process since the Unix epoch in seconds.", MetricType::Gauge,
                *boot + stat->start_time);
    }
    if (const auto count = open_files())
        add("process_open_fds", "Open file descriptors.", MetricType::Gauge, *count);
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        add("process_max_fds", "Maximum number of open file descriptors.", MetricType::Gauge,
            static_cast<double>(limit.rlim_cur));
    return families;
}

}  // namespace parley::metrics
