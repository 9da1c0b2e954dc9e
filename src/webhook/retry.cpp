#include "webhook/retry.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace parley::webhook {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<seconds, most_tries> waits{seconds(0), seconds(5), minutes(5), minutes(30),
                                                hours(2),   hours(5),   hours(10),  hours(14),
                                                hours(20),  hours(24)};
constexpr seconds longest_retry_after = hours(24);

}  // namespace

std::optional<milliseconds> wait_before_next_try(std::size_t failed_tries,
                                                 std::optional<seconds> retry_after, double spread)
{
    if (failed_tries >= waits.size()) return std::nullopt;
    milliseconds wait = waits[failed_tries];
    if (retry_after)
        wait = std::max<milliseconds>(wait, std::min(*retry_after, longest_retry_after));
    const double tenth = static_cast<double>(wait.count()) / 10;
    return wait + milliseconds(static_cast<std::int64_t>(tenth * std::clamp(spread, 0.0, 1.0)));
}

}  // namespace parley::webhook
