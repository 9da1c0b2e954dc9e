#include "schedule/cron_field.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace parley::schedule {
namespace {

// The beginning of the text up to `mark`, which is taken off it with the mark.
std::string_view take_until(std::string_view& text, char mark)
{
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

bool same_word(std::string_view a, std::string_view b)
{
    return std::ranges::equal(
        a, b, {}, [](char c) { return ascii::lower(c); }, [](char c) { return ascii::lower(c); });
}

// One or two digits.
std::optional<int> number_of(std::string_view text)
{
    if (text.empty() || text.size() > 2) return std::nullopt;
    int number = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9') return std::nullopt;
        number = 10 * number + (digit - '0');
    }
    return number;
}

// Reads the items of one field, and remembers the first thing that is wrong.
class FieldReader {
public:
    explicit FieldReader(const CronField& field) : field_(field) {}

    Result<CronValues> read(std::string_view text)
    {
        values_.bare = text == "*";
        // A comma at the end leaves nothing to read, although an item is missing there.
        bool more = true;
        while (more && why_.empty()) {
            more = text.find(',') != text.npos;
            read_item(take_until(text, ','));
        }
        if (!why_.empty()) return invalid_request(std::string(field_.name) + ": " + why_);
        if (field_.is_weekday) make_seven_zero();
        return values_;
    }

private:
    void read_item(std::string_view item)
    {
        if (item.empty()) return wrong("an item of the list is empty");
        if (field_.takes_last && same_word(item, "L"))
            values_.last_day = true;
        else if (field_.is_weekday && item.find('#') != item.npos)
            read_nth(item);
        else
            read_range(item);
    }

    // FRI#2, FRI#L
    void read_nth(std::string_view item)
    {
        const std::string_view whole = item;
        const auto weekday = value_of(take_until(item, '#'), whole);
        if (!weekday) return;
        const bool is_last = same_word(item, "L");
        const auto n = is_last ? CronValues::last : number_of(item);
        if (!n || (!is_last && (*n < 1 || *n > 5)))
            return wrong(quoted(whole) + " needs a number from 1 to 5, or L, after the #");
        auto& days = values_.nth[static_cast<std::size_t>(*weekday % 7)];
        days = static_cast<std::uint8_t>(days | 1U << *n);
    }

    // *, 5, 1-5, */5, 1-5/2
    void read_range(std::string_view item)
    {
        const std::string_view whole = item;
        const bool has_step = item.find('/') != item.npos;
        std::string_view range = take_until(item, '/');
        const bool is_star = range == "*";
        const bool is_range = range.find('-') != range.npos;
        std::optional<int> first = field_.least;
        std::optional<int> last = field_.is_weekday ? 6 : field_.most;
        if (!is_star) {
            first = value_of(take_until(range, '-'), whole);
            if (!first) return;
            last = is_range ? value_of(range, whole) : first;
            if (!last) return;
        }
        if (*last < *first)
            return wrong(quoted(whole) + " ends before it begins; write " +
                         two_ranges(*first, *last));
        if (has_step && !is_star && !is_range)
            return wrong(quoted(whole) + " has a step, but no range such as " +
                         std::to_string(*first) + "-" + std::to_string(field_.most));
        const auto step = has_step ? number_of(item) : 1;
        if (!step || *step < 1 || *step > field_.most)
            return wrong("the step of " + quoted(whole) + " is not a number from 1 to " +
                         std::to_string(field_.most));
        for (int value = *first; value <= *last; value += *step)
            values_.numbers |= std::uint64_t{1} << value;
    }

    // `item` is what the text is a part of.
    std::optional<int> value_of(std::string_view text, std::string_view item)
    {
        if (field_.takes_last && same_word(text, "L")) {
            wrong("L stands alone; " + quoted(item) + " is not supported");
            return std::nullopt;
        }
        const auto word = std::ranges::find_if(
            field_.words, [&](std::string_view known) { return same_word(known, text); });
        if (word != field_.words.end())
            return field_.least + static_cast<int>(word - field_.words.begin());
        const auto number = number_of(text);
        if (number && *number >= field_.least && *number <= field_.most) return number;
        const std::string words =
            field_.words.empty() ? "" : " or a name such as " + std::string(field_.words.front());
        wrong(quoted(text.empty() ? item : text) + " is not a number from " +
              std::to_string(field_.least) + " to " + std::to_string(field_.most) + words);
        return std::nullopt;
    }

    // FRI-SUN: a range does not go on at the beginning.
    std::string two_ranges(int first, int last) const
    {
        const auto name = [this](int value) {
            return field_.words.empty()
                       ? std::to_string(value)
                       : std::string(field_.words[static_cast<std::size_t>(value - field_.least)]);
        };
        const auto range = [&name](int from, int to) {
            return from == to ? name(from) : name(from) + "-" + name(to);
        };
        const int most = field_.is_weekday ? 6 : field_.most;
        return range(std::min(first, most), most) + "," + range(field_.least, last);
    }

    void make_seven_zero()
    {
        values_.numbers |= values_.numbers >> 7 & 1U;
        values_.numbers &= 0x7f;
    }

    // Enough of it to be found; a field may be long.
    static std::string quoted(std::string_view text)
    {
        return '"' + std::string(utf8::cut(text, 24)) + '"';
    }

    void wrong(std::string why)
    {
        if (why_.empty()) why_ = std::move(why);
    }

    const CronField& field_;
    CronValues values_;
    std::string why_;
};

}  // namespace

Result<CronValues> read_cron_field(std::string_view text, const CronField& field)
{
    return FieldReader(field).read(text);
}

}  // namespace parley::schedule
