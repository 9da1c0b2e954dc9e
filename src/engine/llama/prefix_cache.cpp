#include "engine/llama/prefix_cache.hpp"

#include "base/log.hpp"

#define XXH_INLINE_ALL  // Headers only, so that the program needs no library.
#include <algorithm>
#include <functional>
#include <utility>
#include <xxhash.h>

namespace parley::engine::llama {

void PrefixCache::keep(Tokens tokens, State state, const Whose& whose)
{
    if (whose.owner.empty() || state.empty() || state.size() > max_bytes_) return;
    const std::string& session = whose.session;
    for (auto each = all_.begin(); each != all_.end();) {
        if (each->owner != whose.owner) {
            ++each;
            continue;
        }
        const std::size_t common = common_prefix(each->tokens, tokens);
        if (common == tokens.size()) {  // It is cached, or a longer text.
            // A session with only a part of the text must not keep the rest alive, which belongs to
            // another session.
            const bool is_all = common == each->tokens.size();
            if (is_all && !session.empty()) each->sessions.insert(session);
            each->used_at = ++now_;
            return;
        }
        const bool grew_from_it = common == each->tokens.size() && !session.empty() &&
                                  each->sessions.size() == 1 && each->sessions.contains(session);
        each = grew_from_it ? drop(each) : std::next(each);
    }
    bytes_ += state.size();
    const std::uint64_t sum = checksum(state);
    all_.push_back({.tokens = std::move(tokens),
                    .state = std::move(state),
                    .checksum = sum,
                    .owner = whose.owner,
                    .used_at = ++now_});
    if (!session.empty()) all_.back().sessions.insert(session);
    make_room();
}

PrefixCache::Found PrefixCache::longest(std::span<const Token> wanted, const Whose& whose)
{
    while (true) {
        auto best = all_.end();
        std::size_t common = 0;
        for (auto each = all_.begin(); each != all_.end(); ++each) {
            if (each->owner != whose.owner) continue;
            const std::size_t length = common_prefix(each->tokens, wanted);
            if (length <= common) continue;
            common = length;
            best = each;
        }
        if (best == all_.end()) return {};
        if (checksum(best->state) != best->checksum) {
            log::error("a prompt cache entry was damaged in memory and was dropped");
            drop(best);
            continue;
        }
        best->used_at = ++now_;
        ++best->uses;
        if (!whose.session.empty() && common == best->tokens.size())
            best->sessions.insert(whose.session);
        return {.state = &best->state, .common = common};
    }
}

std::size_t PrefixCache::known(std::span<const Token> wanted, std::string_view owner) const
{
    std::size_t most = 0;
    for (const Entry& each : all_)
        if (each.owner == owner) most = std::max(most, common_prefix(each.tokens, wanted));
    return most;
}

void PrefixCache::forget(std::string_view gone)
{
    for (auto each = all_.begin(); each != all_.end();) {
        const bool had_it = std::erase_if(each->sessions, [&](const std::string& session) {
                                return belongs_to(session, gone);
                            }) > 0;
        const bool was_last = had_it && each->sessions.empty();
        each = was_last || belongs_to(each->owner, gone) ? drop(each) : std::next(each);
    }
}

PrefixCache::Place PrefixCache::drop(Place entry)
{
    bytes_ -= entry->state.size();
    return all_.erase(entry);
}

void PrefixCache::make_room()
{
    const auto value = [this](const Entry& entry) { return worth(entry); };
    while (bytes_ > max_bytes_) drop(std::ranges::min_element(all_, {}, value));
}

// The saved work: tokens, times uses, divided by the uses of others since the last one.
double PrefixCache::worth(const Entry& entry) const
{
    return static_cast<double>(entry.tokens.size() * entry.uses) /
           static_cast<double>(now_ - entry.used_at + 1);
}

std::vector<const PrefixCache::Entry*> PrefixCache::most_valuable(std::size_t bytes) const
{
    std::vector<const Entry*> chosen;
    for (const Entry& each : all_)
        if (!each.sessions.empty()) chosen.push_back(&each);
    std::ranges::sort(chosen, std::greater{}, [this](const Entry* entry) { return worth(*entry); });
    std::erase_if(chosen, [&](const Entry* entry) {
        if (entry->state.size() > bytes) return true;
        bytes -= entry->state.size();
        return false;
    });
    std::ranges::reverse(chosen);
    return chosen;
}

void PrefixCache::take_back(Entry entry)
{
    if (entry.state.size() > max_bytes_) return;
    entry.used_at = ++now_;
    bytes_ += entry.state.size();
    all_.push_back(std::move(entry));
    make_room();
}

std::uint64_t PrefixCache::checksum(std::span<const std::uint8_t> bytes)
{
    return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace parley::engine::llama
