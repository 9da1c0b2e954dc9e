// The index of words, which differs between databases. The table `search_docs` is common to all of
// them: a row for each message in the index. Its `doc` is a number that grows with the time of the
// message, so that the newest come first.
//
// In the index a word has the numbers of its owner and bucket before it ("24:3:hello"). So a search
// never reads data of other users, and not more than it needs (search_buckets.hpp).
#pragma once

#include "search/query.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::sql {

class Connection;

// A message as the index knows it.
struct IndexedMessage {
    std::int64_t owner = 0;
    std::int64_t bucket = 0;
    std::int64_t session = 0;  // Its position.
    std::string_view speaker = {};
    std::span<const std::string> words = {};
};

struct SearchCondition {
    std::int64_t owner = 0;
    std::optional<std::int64_t> session = {};  // Its position.
    std::optional<std::string_view> speaker = {};
    const search::Query* query = nullptr;
    std::span<const std::int64_t> buckets = {};
};

// An entry of the index.
struct SearchDoc {
    std::int64_t doc = 0;
    std::int64_t message = 0;  // Its position.
    std::int64_t owner = 0;
    std::int64_t bucket = 0;
    std::string text = {};  // From index_text().
};

// A message that is to be put into the index.
struct SearchCandidate {
    std::int64_t message = 0;  // Its position.
    std::string_view id = {};
    std::int64_t before = 0;  // Its doc is to be lower.
};

class SearchDialect {
public:
    virtual ~SearchDialect() = default;

    // A query for the messages that meet a condition (?1), of an owner (?2), with a doc before ?3
    // and not before ?4, created since ?5 and before ?6; ?7 at most.
    virtual const char* find() const = 0;
    virtual std::string condition_text(const SearchCondition& condition) const = 0;
    // To be called in a transaction before find().
    virtual void prepare(Connection& connection) const = 0;

    // The text of a message that is put into the index.
    virtual std::string index_text(const IndexedMessage& message) const = 0;
    // A query for the highest doc before ?1 that the index has; -1 if there is none.
    virtual const char* highest_doc() const = 0;
    // For each candidate the highest doc before its limit, as highest_doc() gives it; nothing if
    // the message is gone, or is in the index. A driver may ask for all of them at once.
    virtual std::vector<std::optional<std::int64_t>> look_up(
        Connection& connection, std::span<const SearchCandidate> candidates) const;
    virtual void add(Connection& connection, const SearchDoc& doc) const = 0;

    // Deleted messages that the index still has; without their position.
    virtual std::vector<SearchDoc> leftovers(Connection& connection, std::size_t most) const = 0;
    virtual void remove(Connection& connection, const SearchDoc& leftover) const = 0;

    virtual void clear(Connection& connection) const = 0;

    // Whether a message is committed before all that have a higher position.
    virtual bool commits_in_order() const = 0;
};

// The words to look for in the index. The work for a phrase grows with its words and the length of
// the messages, so that only the beginning of a long one is looked for there: the text of the
// messages that are found decides.
struct IndexedTerm {
    std::span<const std::string> words = {};
    bool is_prefix = false;
};
IndexedTerm indexed_part(const search::Term& term);

// The words of a message, from its packed parts.
std::vector<std::string> indexed_words(std::string_view packed_parts);

// The text that is searched: all parts.
std::string searched_text(std::string_view packed_parts);

}  // namespace parley::store::sql
