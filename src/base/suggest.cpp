#include "base/suggest.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace parley {
namespace {

constexpr std::size_t longest = 64;  // Longer words are not typing errors.

using Row = std::array<std::size_t, longest + 1>;

// The number of edits between both words; a swap of neighbours is one edit.
std::size_t edits(std::string_view a, std::string_view b)
{
    Row before_last{};
    Row last{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = last;
        last = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = ascii::lower(a[i - 1]) == ascii::lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same});
            if (i > 1 && j > 1 && ascii::lower(a[i - 1]) == ascii::lower(b[j - 2]) &&
                ascii::lower(a[i - 2]) == ascii::lower(b[j - 1]))
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string_view> suggest(std::string_view word,
                                        std::span<const std::string_view> known)
{
    if (word.size() > longest) return {};
    std::optional<std::string_view> best;
    std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > longest) continue;
        const std::size_t distance = edits(word, candidate);
        if (distance >= fewest || distance >= candidate.size()) continue;
        fewest = distance;
        best = candidate;
    }
    return best;
}

}  // namespace parley
