#include "api/stored_turns.hpp"

#include "api/wire/message.hpp"
#include "engine/question_turn.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace parley::api {
namespace {

constexpr std::size_t max_stored_bytes =
    std::size_t{1} * 1024 * 1024;  // All earlier turns together.

engine::Turn joined_questions(std::span<engine::Turn> turns)
{
    engine::JoinedQuestions joined(std::move(turns.front()));
    for (engine::Turn& turn : turns.subspan(1)) joined.add(std::move(turn));
    return joined.take();
}

engine::Turn joined_answers(std::span<engine::Turn> turns)
{
    engine::Turn joined = std::move(turns.front());
    for (const engine::Turn& turn : turns.subspan(1)) {
        engine::end_line(joined.text);
        joined.text.append("\n\n").append(turn.text);
    }
    return joined;
}

}  // namespace

std::vector<engine::Turn> in_turn(std::vector<engine::Turn> turns)
{
    std::vector<engine::Turn> joined;
    for (auto first = turns.begin(); first != turns.end();) {
        const Speaker speaker = first->speaker;
        const auto next = std::find_if(
            first, turns.end(), [&](const engine::Turn& turn) { return turn.speaker != speaker; });
        joined.push_back(speaker == Speaker::user ? joined_questions({first, next})
                                                  : joined_answers({first, next}));
        first = next;
    }
    return joined;
}

std::size_t size_of_turn(const engine::Turn& turn)
{
    std::size_t size = turn.text.size();
    for (const engine::TurnImage& image : turn.images) size += image.url->size();
    return size;
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
