#include "limits/local/clock_anchor.hpp"

namespace parley::limits::local {
namespace {

// Memory with all bits zero or all bits one must not look valid.
std::uint64_t check_of(std::uint64_t wall_minus_steady, std::uint64_t last_seen)
{
    return wall_minus_steady ^ (last_seen * 0x9e3779b97f4a7c15) ^ 0x70756c7365706c72;
}

void store(std::uint64_t& word, std::uint64_t value)
{
    std::atomic_ref(word).store(value, std::memory_order_release);
}

}  // namespace

void ClockAnchor::write(Moment now)
{
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;  // Another thread is writing it.
    const auto offset =
        std::chrono::duration_cast<std::chrono::nanoseconds>(clock_.now().time_since_epoch()) - now;
    const auto bits = static_cast<std::uint64_t>(offset.count());
    store(in_file_.wall_minus_steady, bits);
    store(in_file_.last_seen, to_stamp(now));
    store(in_file_.check, check_of(bits, to_stamp(now)));
    wall_minus_steady_.store(offset, std::memory_order_relaxed);
    next_.store(now + std::chrono::seconds(1), std::memory_order_relaxed);
}

std::optional<ClockAnchor::Seen> ClockAnchor::read(const Header::ClockAnchor& in_file)
{
    if (in_file.check != check_of(in_file.wall_minus_steady, in_file.last_seen))
        return std::nullopt;
    return Seen{std::chrono::nanoseconds(static_cast<std::int64_t>(in_file.wall_minus_steady)),
                to_moment(in_file.last_seen)};
}

}  // namespace parley::limits::local
