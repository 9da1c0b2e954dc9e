// One of the five fields of a cron pattern, from text to the values that it allows.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace parley::schedule {

// The name of a field, its range of numbers, and its other syntax.
struct CronField {
    std::string_view name;
    int least;
    int most;
    std::span<const std::string_view> words = {};  // Names for the numbers from `least` on.
    bool takes_last = false;                       // L, the last day of the month.
    bool is_weekday = false;                       // 7 is 0 too, and there is FRI#2 and FRI#L.
};

struct CronValues {
    static constexpr int last = 0;  // The n of a weekday that stands for the last one.

    bool bare = false;                     // A `*` and nothing else.
    std::uint64_t numbers = 0;             // Bit n for the number n.
    bool last_day = false;                 // L
    std::array<std::uint8_t, 7> nth = {};  // By weekday: bit n for the n-th one of the month.

    bool has(int number) const { return (numbers >> number & 1U) != 0; }
    bool has_nth(int weekday, int n) const
    {
        return (nth[static_cast<std::size_t>(weekday)] >> n & 1U) != 0;
    }
};

// Fails with invalid_request; the message begins with the name of the field.
Result<CronValues> read_cron_field(std::string_view text, const CronField& field);

}  // namespace parley::schedule
