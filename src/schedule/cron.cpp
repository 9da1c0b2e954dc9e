#include "schedule/cron.hpp"

#include <array>
#include <string>
#include <vector>

namespace parley::schedule {
namespace {

// All numbers of all fields, separated by commas, need 500 bytes.
constexpr std::size_t longest = 1000;

constexpr std::array<std::string_view, 12> month_names{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                       "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<std::string_view, 7> weekday_names{"SUN", "MON", "TUE", "WED",
                                                        "THU", "FRI", "SAT"};
constexpr std::array<CronField, 5> fields{{
    {.name = "minute", .least = 0, .most = 59},
    {.name = "hour", .least = 0, .most = 23},
    {.name = "day of month", .least = 1, .most = 31, .takes_last = true},
    {.name = "month", .least = 1, .most = 12, .words = month_names},
    {.name = "day of week", .least = 0, .most = 7, .words = weekday_names, .is_weekday = true},
}};

std::vector<std::string_view> words_of(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;
         at = text.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

}  // namespace

Result<Cron> Cron::parse(std::string_view text)
{
    if (text.size() > longest)
        return invalid_request("a pattern has at most " + std::to_string(longest) + " bytes");
    const auto words = words_of(text);
    if (words.size() != fields.size())
        return invalid_request(
            "a pattern has five fields (minute, hour, day of month, month, day of week); this "
            "has " +
            std::to_string(words.size()));
    Cron cron;
    const std::array<CronValues*, fields.size()> places{&cron.minutes_, &cron.hours_, &cron.days_,
                                                        &cron.months_, &cron.weekdays_};
    std::string wrong;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto values = read_cron_field(words[i], fields[i]);
        if (values)
            *places[i] = *values;
        else
            wrong.append(wrong.empty() ? "" : "; ").append(values.error().message);
    }
    if (!wrong.empty()) return invalid_request(std::move(wrong));
    return cron;
}

bool Cron::has_day(std::chrono::local_days day) const
{
    const std::chrono::year_month_day date(day);
    if (!has_month(date.month())) return false;
    const int number = static_cast<int>(static_cast<unsigned>(date.day()));
    const int weekday = static_cast<int>(std::chrono::weekday(day).c_encoding());
    const std::chrono::year_month_day_last end(date.year(),
                                               std::chrono::month_day_last(date.month()));
    const int length = static_cast<int>(static_cast<unsigned>(end.day()));

    const bool by_date = days_.has(number) || (days_.last_day && number == length);
    const bool by_weekday = weekdays_.has(weekday) ||
                            weekdays_.has_nth(weekday, (number + 6) / 7) ||
                            (weekdays_.has_nth(weekday, CronValues::last) && number + 7 > length);
    return either_day_is_enough() ? by_date || by_weekday : by_date && by_weekday;
}

}  // namespace parley::schedule
