// Fuzzes the search with a query and a text. It must not crash; words and marks must lie inside of
// their text, and a text must be found by each of its own words.
#include "base/utf8.hpp"
#include "search/search.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace parley;

void must(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = std::min<std::size_t>(input.find('\n'), input.size());
    const std::string query = utf8::repaired(input.substr(0, cut));
    const std::string text = utf8::repaired(input.substr(cut));
    std::size_t at = 0;
    const auto words = search::words_of(text);
    for (const search::Word& word : words) {
        must(word.begin >= at && word.begin < word.end && word.end <= text.size());
        must(!word.key.empty() && word.key.size() <= search::max_key_bytes);
        must(utf8::valid(word.key));
        at = word.begin;
    }
    if (!words.empty()) {
        const search::Word& first = words.front();
        const auto again = search::Query::parse(text.substr(first.begin, first.end - first.begin));
        must(search::snippet_of(text, again).has_value());
    }
    if (const auto snippet = search::snippet_of(text, search::Query::parse(query))) {
        must(utf8::valid(snippet->text) && !snippet->marks.empty());
        std::size_t last = 0;
        for (const auto& [begin, end] : snippet->marks) {
            must(begin >= last && begin < end && end <= snippet->text.size());
            last = end;
        }
    }
    return 0;
}
