// Converts times from the file of the last process. Without a reboot they stay as they are. After a
// reboot they are converted by the wall clock; a time in the future, because the clock was set
// back, becomes now: this may refuse requests too long, but never admits too many. (If the clock
// was set forward while the machine was off, admissions look older than they are; this cannot be
// detected.)
#pragma once

#include "limits/local/clock_anchor.hpp"
#include "limits/local/layout.hpp"
#include "limits/window.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace parley::limits::local {

class TimeTranslation {
public:
    TimeTranslation(const Header& old, std::string_view boot_id, Moment now, TimePoint wall,
                    std::chrono::nanoseconds width);

    // Nothing if it is out of the window, so that it no longer counts.
    std::optional<Moment> carry(Stamp stamp) const;

    // False after a reboot if the file has no valid clock anchor. All of its times then count as
    // now.
    bool understood() const { return shift_.has_value(); }

private:
    Moment now_;
    std::chrono::nanoseconds width_;
    Stamp dead_ =
        never;  // Older stamps were outside the window when the last process was last seen.
    std::optional<std::chrono::nanoseconds> shift_;
};

}  // namespace parley::limits::local
