// A short part of a text that shows where a query was found.
#pragma once

#include "search/query.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::search {

struct Snippet {
    std::string text = {};  // One line: control characters are spaces. "…" stands for what was cut.
    // Begin and end of each part that was found, in bytes of this text; in order, without overlaps.
    std::vector<std::pair<std::size_t, std::size_t>> marks = {};
};

// The part in which most terms are found. Nothing if the text does not contain all terms.
std::optional<Snippet> snippet_of(std::string_view text, const Query& query);

}  // namespace parley::search
