// One step of keeping the index complete: what is read for it (search_update.cpp writes it).
#pragma once

#include "store/sql/connection.hpp"
#include "store/sql/search_dialect.hpp"
#include "store/sql/settled_positions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::sql {

inline constexpr std::string_view mark_name = "searchable";
inline constexpr std::string_view version_name = "search_version";
inline constexpr std::string_view index_name = "search_index";

// What the database says about its index: 0 if it says nothing.
struct IndexState {
    std::int64_t version = 0;  // Of the rules for words.
    std::int64_t index = 0;    // How often it was begun again.
    std::int64_t mark = 0;     // Messages up to this position need not be looked at.
};

// Asks when it is made, so that it costs no round trip of its own.
class IndexStateQuery {
public:
    explicit IndexStateQuery(Connection& connection);
    // To be called once.
    IndexState read();

private:
    Query select_;
};

// The number that version() has for the rules of this program.
std::int64_t version_of_words();

struct NewDoc {
    std::string id = {};  // msg_…
    std::int64_t first_doc = 0;
    SearchDoc doc = {};
};

struct IndexStep {
    bool is_in_order = false;  // SearchDialect::commits_in_order().
    bool is_outdated = false;  // All has to be indexed again, by other rules.
    std::int64_t index = 0;    // As in IndexState.
    std::int64_t mark = 0;
    std::vector<SearchDoc> leftovers = {};
    std::vector<NewDoc> fresh = {};       // Read before their turn.
    std::vector<NewDoc> docs = {};        // In the order of their positions, from the mark on.
    bool is_end = false;                  // There are no further messages.
    std::int64_t newest = 0;              // The position of the newest message.
    std::int64_t oldest_transaction = 0;  // All below had ended when the messages were read.

    std::size_t count() const { return leftovers.size() + fresh.size() + docs.size(); }
};

// `most` messages at most. Those behind `fresh_from` come first.
IndexStep read_step(Connection& connection, SettledPositions& settled,
                    std::optional<std::int64_t> fresh_from, std::size_t most);

}  // namespace parley::store::sql
