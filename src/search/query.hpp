// A search as a user writes it: all words, in any order; "a phrase" in double quotes; begin* finds
// words that begin so. Everything else is text: there are no operators, so that any text is a valid
// query.
#pragma once

#include "search/words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace parley::search {

// Words that follow one another; mostly one.
struct Term {
    std::vector<std::string> words = {};
    bool is_prefix = false;  // The last word may go on.

    bool operator==(const Term&) const = default;
};

// A part of a text that a term has found.
struct Occurrence {
    std::size_t term = 0;
    std::size_t begin = 0;  // In bytes.
    std::size_t end = 0;

    bool operator==(const Occurrence&) const = default;
};

class Query {
public:
    static Query parse(std::string_view text);

    // Without repetitions; empty if the text has no words. Such a query finds nothing.
    const std::vector<Term>& terms() const { return terms_; }

    // All parts of a text that terms have found, in order; empty unless each term is found.
    std::vector<Occurrence> find_in(std::string_view text) const;

private:
    void add_term(std::string_view text);

    std::vector<Term> terms_;
};

}  // namespace parley::search
