// How times come over from the file of the last process. While the machine runs on they stay as
// they are. After it was started again they are translated by the time of day; one that would lie
// in the future, because the time of day was set back, becomes now: late, but never too many. (Set
// forward while the machine was off, it makes admissions look older than they are; nothing could
// tell.)
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

    // False if the machine was started again and the file does not say what its times meant. All
    // of them then count as now.
    bool understood() const { return shift_.has_value(); }

private:
    Moment now_;
    std::chrono::nanoseconds width_;
    Stamp dead_ = never;  // What was out of the window when the last process was last seen.
    std::optional<std::chrono::nanoseconds> shift_;
};

}  // namespace parley::limits::local
