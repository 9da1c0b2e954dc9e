#include "schema/integer_grammar.hpp"

#include "schema/limits.hpp"

#include <algorithm>
#include <vector>

namespace parley::schema {
namespace {

std::string digits(char from, char to)
{
    if (from == to) return std::string("\"") + from + '"';
    return std::string("[") + from + '-' + to + ']';
}

std::string any_digits(std::size_t count)
{
    return count == 0 ? "" : " [0-9]{" + std::to_string(count) + "}";
}

// Alternatives for all numbers from `low` to `high`, which have the same number of digits.
void add_between(const std::string& low, const std::string& high, const std::string& before,
                 std::vector<std::string>& out)
{
    const std::size_t rest = low.size() - 1;
    const bool is_all_low = low.find_first_not_of('0', 1) == low.npos;
    const bool is_all_high = high.find_first_not_of('9', 1) == high.npos;
    if (is_all_low && is_all_high) {
        out.push_back(before + digits(low[0], high[0]) + any_digits(rest));
        return;
    }
    if (low[0] == high[0])
        return add_between(low.substr(1), high.substr(1), before + digits(low[0], low[0]) + ' ',
                           out);
    char first = low[0];
    char last = high[0];
    if (!is_all_low) {
        add_between(low.substr(1), std::string(rest, '9'), before + digits(first, first) + ' ',
                    out);
        ++first;
    }
    if (!is_all_high) --last;
    if (first <= last) out.push_back(before + digits(first, last) + any_digits(rest));
    if (!is_all_high)
        add_between(std::string(rest, '0'), high.substr(1), before + digits(high[0], high[0]) + ' ',
                    out);
}

void add_positive(std::int64_t least, std::int64_t most, const std::string& sign,
                  std::vector<std::string>& out)
{
    while (least <= most) {
        const std::string low = std::to_string(least);
        const std::string nines(low.size(), '9');
        const std::int64_t until = std::min<std::int64_t>(most, std::stoll(nines));
        add_between(low, std::to_string(until), sign, out);
        least = until + 1;
    }
}

}  // namespace

std::string integers_between(std::optional<std::int64_t> least, std::optional<std::int64_t> most)
{
    const auto [low, high] = written_integers(least, most);
    if (low == -usual_integer && high == usual_integer) return R"("0" | "-"? [1-9] [0-9]{0,14})";
    std::vector<std::string> choices;
    if (low <= 0 && high >= 0) choices.emplace_back("\"0\"");
    add_positive(std::max<std::int64_t>(1, low), high, "", choices);
    if (low < 0) add_positive(std::max<std::int64_t>(1, -high), -low, "\"-\" ", choices);
    std::string body;
    for (const std::string& choice : choices) body += (body.empty() ? "" : " | ") + choice;
    return body;
}

}  // namespace parley::schema
