#include "limits/local/time_translation.hpp"

#include <algorithm>
#include <cstring>

namespace parley::limits::local {
namespace {

// The file stores the first bytes of an id, padded with zeros. A system without an id may have
// rebooted at any time.
bool same_boot(const Header& old, std::string_view boot_id)
{
    const auto& kept = old.fixed.boot_id;
    const std::string_view known(kept.data(), strnlen(kept.data(), kept.size()));
    return !known.empty() && known == boot_id.substr(0, kept.size());
}

}  // namespace

TimeTranslation::TimeTranslation(const Header& old, std::string_view boot_id, Moment now,
                                 TimePoint wall, std::chrono::nanoseconds width)
    : now_(now), width_(width)
{
    const auto seen = ClockAnchor::read(old.anchor);
    if (seen) dead_ = to_stamp(seen->last) - std::min(to_stamp(seen->last), Stamp(width.count()));
    // A container may have moved to another steady clock on the same machine.
    const bool same_line = !seen || seen->last <= now + std::chrono::seconds(1);
    if (same_boot(old, boot_id) && same_line)
        shift_ = std::chrono::nanoseconds(0);
    else if (seen)
        shift_ = seen->wall_minus_steady + now -
                 std::chrono::duration_cast<std::chrono::nanoseconds>(wall.time_since_epoch());
}

std::optional<Moment> TimeTranslation::carry(Stamp stamp) const
{
    if (stamp == never || stamp <= dead_) return std::nullopt;
    std::int64_t moment = now_.count();
    if (shift_ && !__builtin_add_overflow(to_moment(stamp).count(), shift_->count(), &moment))
        moment = std::min(moment, now_.count());
    else
        moment = now_.count();
    if (Moment(moment) <= now_ - width_) return std::nullopt;
    return Moment(moment);
}

}  // namespace parley::limits::local
