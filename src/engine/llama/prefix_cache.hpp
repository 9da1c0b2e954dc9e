// The prompt cache: the model's state after a text, kept so that a conversation with the same
// prefix is not computed again. A session's next turn begins with its earlier ones, and an owner's
// sessions with the same instructions have a common prefix. A state serves only the owner of its
// text (whose.hpp).
//
// The states are chat content: they are in memory, and, while no server runs, in a private file
// (prefix_cache_file.hpp); they are removed with the last session that they belong to. They have
// checksums, because llama.cpp would not notice damage.
//
// Threads: belongs to the engine's thread.
#pragma once

#include "engine/llama/token.hpp"
#include "engine/llama/whose.hpp"

#include <cstdint>
#include <list>
#include <set>
#include <string>
#include <string_view>

namespace parley::engine::llama {

class PrefixCache {
public:
    using State = std::vector<std::uint8_t>;

    struct Entry {
        Tokens tokens;
        State state;
        std::uint64_t checksum = 0;
        std::string owner = {};
        std::set<std::string, std::less<>> sessions = {};
        std::uint64_t used_at = 0;
        std::uint64_t uses = 1;
    };

    struct Found {
        const State* state =
            nullptr;  // The state of a text that begins with the same `common` tokens; may be null.
        std::size_t common = 0;
    };

    explicit PrefixCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // A state without a session stays until it is evicted. A longer text of the same session
    // replaces the shorter one.
    void keep(Tokens tokens, State state, const Whose& whose);

    // The owner's state with the longest common prefix. Valid until the next call.
    Found longest(std::span<const Token> wanted, const Whose& whose);

    // The length of the longest cached prefix of this text for its owner.
    std::size_t known(std::span<const Token> wanted, std::string_view owner) const;

    void forget(std::string_view gone);  // The states of a session, or all of a user's.

    // The most valuable states that belong to sessions, of at most so many bytes together, least
    // valuable first. States without a session are not saved, because their content is stored
    // nowhere else.
    std::vector<const Entry*> most_valuable(std::size_t bytes) const;

    // Restores a state after a restart; counts as newer than all restored before it.
    void take_back(Entry entry);

    static std::uint64_t checksum(std::span<const std::uint8_t> bytes);

    std::size_t bytes() const { return bytes_; }
    std::size_t count() const { return all_.size(); }

private:
    using Place = std::list<Entry>::iterator;

    Place drop(Place entry);
    void make_room();
    double worth(const Entry& entry) const;

    std::list<Entry> all_;
    std::size_t bytes_ = 0;
    const std::size_t max_bytes_;
    std::uint64_t now_ = 0;  // Counts uses: the least recently used is worth least.
};

}  // namespace parley::engine::llama
