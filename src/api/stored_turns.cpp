#include "api/stored_turns.hpp"

#include "api/wire/message.hpp"

#include <utility>

namespace parley::api {

namespace {

constexpr std::size_t max_stored_bytes =
    std::size_t{1} * 1024 * 1024;  // All earlier turns together.

}  // namespace

std::vector<engine::Turn> in_turn(std::vector<engine::Turn> turns)
{
    std::vector<engine::Turn> joined;
    for (engine::Turn& turn : turns) {
        if (!joined.empty() && joined.back().speaker == turn.speaker)
            joined.back().text.append("\n\n").append(turn.text);
        else
            joined.push_back(std::move(turn));
    }
    return joined;
}

void check_earlier(const std::vector<engine::Turn>& turns, const std::string& where,
                   const std::string& advice, Faults& faults)
{
    if (turns.size() > max_stored_turns)
        faults.push_back(
            {where, "too_long",
             "to be stored, a new conversation must have at most 500 earlier turns; " + advice});
    std::size_t all = 0;
    for (const engine::Turn& turn : turns) {
        all += turn.text.size();
        if (turn.text.size() <= max_message_bytes && all <= max_stored_bytes) continue;
        faults.push_back(
            {where, "too_long",
             "to be stored, each must have at most 131072 bytes, and all together 1 MiB"});
        return;
    }
}

}  // namespace parley::api
