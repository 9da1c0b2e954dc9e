#include "base/rfc3339.hpp"

#include <algorithm>
#include <charconv>

namespace parley {
namespace {

// Removes each part that it reads from the front.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    // Reads exactly this many digits.
    bool digits(std::size_t count, int& out)
    {
        const std::string_view number = rest_.substr(0, count);
        if (number.size() < count || number.find_first_not_of("0123456789") != number.npos)
            return false;
        std::from_chars(number.data(), number.data() + number.size(), out);
        rest_.remove_prefix(count);
        return true;
    }
    bool one_of(std::string_view choices)
    {
        if (rest_.empty() || choices.find(rest_.front()) == choices.npos) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool fraction(int& milliseconds)
    {
        if (!one_of(".")) return true;
        const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        if (count == 0) return false;
        for (std::size_t i = 0; i < 3; ++i)
            milliseconds = milliseconds * 10 + (i < count ? rest_[i] - '0' : 0);
        rest_.remove_prefix(count);
        return true;
    }
    bool offset(int& minutes)
    {
        if (one_of("Zz")) return true;
        const bool west = !rest_.empty() && rest_.front() == '-';
        int hour = 0;
        int minute = 0;
        if (!one_of("+-") || !digits(2, hour) || !one_of(":") || !digits(2, minute) || hour > 23 ||
            minute > 59)
            return false;
        minutes = (hour * 60 + minute) * (west ? -1 : 1);
        return true;
    }
    bool at_end() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

}  // namespace

std::optional<TimePoint> parse_rfc3339(std::string_view text)
{
    using namespace std::chrono;
    int year_number = 0;
    int month_number = 0;
    int day_number = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int millisecond = 0;
    int offset = 0;
    Reader reader(text);
    const bool read = reader.digits(4, year_number) && reader.one_of("-") &&
                      reader.digits(2, month_number) && reader.one_of("-") &&
                      reader.digits(2, day_number) && reader.one_of("Tt") &&
                      reader.digits(2, hour) && reader.one_of(":") && reader.digits(2, minute) &&
                      reader.one_of(":") && reader.digits(2, second) &&
                      reader.fraction(millisecond) && reader.offset(offset) && reader.at_end();
    const year_month_day day{year(year_number), month(static_cast<unsigned>(month_number)),
                             std::chrono::day(static_cast<unsigned>(day_number))};
    // The range of system_clock, in nanoseconds, ends in the year 2262.
    if (!read || !day.ok() || hour > 23 || minute > 59 || second > 60 || year_number < 1678 ||
        year_number > 2261)
        return std::nullopt;
    return TimePoint(sys_days(day)) + hours(hour) + minutes(minute - offset) + seconds(second) +
           milliseconds(millisecond);
}

}  // namespace parley
