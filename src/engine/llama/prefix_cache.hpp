// What the model has already read: the state after a text, kept so that a conversation that begins
// with the same text is not computed again. A session's next turn begins with its earlier ones, and
// an owner's sessions with the same instructions begin alike. A state serves only the owner whose
// words it was computed from (whose.hpp).
//
// The states are chat content: they lie in memory, while no server runs in a file for its user
// alone (prefix_cache_file.hpp), and go with the last session that they belong to. They are
// checksummed, since a damaged one would be taken without complaint.
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

    struct Kept {
        Tokens tokens;
        State state;
        std::uint64_t checksum = 0;
        std::string owner = {};
        std::set<std::string, std::less<>> sessions = {};
        std::uint64_t used_at = 0;
        std::uint64_t uses = 1;
    };

    struct Found {
        const State* state = nullptr;  // Of a text that has `common` tokens in common; may be null.
        std::size_t common = 0;
    };

    explicit PrefixCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // What belongs to no session stays until there is need of its room. A state of a text that goes
    // on from one of the same session takes its place.
    void keep(Tokens tokens, State state, const Whose& whose);

    // The owner's state that saves most of the work. Valid until the next call.
    Found longest(std::span<const Token> wanted, const Whose& whose);

    // How long a beginning of this text is kept for its owner.
    std::size_t known(std::span<const Token> wanted, std::string_view owner) const;

    void forget(std::string_view gone);  // Of a session, or all of a user's.

    // Of those that belong to sessions: what is worth most and has at most so many bytes together,
    // the least of it first. What belongs to none is nothing that anybody has stored.
    std::vector<const Kept*> most_valuable(std::size_t bytes) const;

    // One that was kept before a restart; worth more than all that came back before it.
    void take_back(Kept kept);

    static std::uint64_t checksum(std::span<const std::uint8_t> bytes);

    std::size_t bytes() const { return bytes_; }
    std::size_t count() const { return all_.size(); }

private:
    using Place = std::list<Kept>::iterator;

    Place drop(Place kept);
    void make_room();
    double worth(const Kept& kept) const;

    std::list<Kept> all_;
    std::size_t bytes_ = 0;
    const std::size_t max_bytes_;
    std::uint64_t now_ = 0;  // Counts uses: what was used longest ago is worth least.
};

}  // namespace parley::engine::llama
