#include "schema/literal_grammar.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <span>

namespace parley::schema {
namespace {

// The length of the beginning that all have in common. Does not split a character.
std::size_t common_length(std::span<const std::string> sorted, std::size_t from)
{
    const std::string& first = sorted.front();
    const std::string& last = sorted.back();
    const auto ends = std::mismatch(first.begin() + static_cast<long>(from), first.end(),
                                    last.begin() + static_cast<long>(from), last.end());
    const auto length = static_cast<std::size_t>(ends.first - first.begin());
    return utf8::cut(first, length).size();
}

void append(std::string& out, std::string_view element)
{
    if (!out.empty()) out += ' ';
    out += element;
}

// The rest of each text after its first `from` bytes, which they have in common.
std::string rest_of(std::span<const std::string> sorted, std::size_t from)
{
    const std::size_t common = common_length(sorted, from);
    std::string out;
    if (common > from)
        append(out, quoted_literal(std::string_view(sorted.front()).substr(from, common - from)));
    if (sorted.size() == 1) return out.empty() ? "\"\"" : out;

    std::string choices;
    while (!sorted.empty()) {
        const std::string_view rest = std::string_view(sorted.front()).substr(common);
        const std::string_view letter = rest.substr(0, utf8::first(rest).bytes);
        const auto same = std::ranges::find_if_not(sorted, [&](const std::string& each) {
            return letter.empty() ? each.size() == common
                                  : std::string_view(each).substr(common).starts_with(letter);
        });
        const auto count = static_cast<std::size_t>(same - sorted.begin());
        choices += (choices.empty() ? "" : " | ") + rest_of(sorted.first(count), common);
        sorted = sorted.subspan(count);
    }
    append(out, "( " + choices + " )");
    return out;
}

}  // namespace

std::string quoted_literal(std::string_view text)
{
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
    return out + '"';
}

std::string literals_grammar(std::vector<std::string> texts)
{
    std::ranges::sort(texts);
    const auto equal = std::ranges::unique(texts);
    texts.erase(equal.begin(), equal.end());
    return rest_of(texts, 0);
}

}  // namespace parley::schema
