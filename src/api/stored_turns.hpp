// The earlier turns of a conversation that a client sends to be stored.
//
// Threads: plain functions.
#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"

#include <string>
#include <vector>

namespace parley::api {

// All turns are written in one transaction, which delays other writes.
inline constexpr std::size_t max_stored_turns = 500;

// Alternates questions and answers: consecutive messages of one speaker become one.
std::vector<engine::Turn> in_turn(std::vector<engine::Turn> turns);

// The memory of a turn, with its images.
std::size_t size_of_turn(const engine::Turn& turn);

// Each turn is stored as a message and has the limits of one; all together have the limit of a
// body. `where`: the place of the faults. `advice`: how to continue a stored conversation.
void check_earlier(const std::vector<engine::Turn>& turns, const std::string& where,
                   const std::string& advice, Faults& faults);

}  // namespace parley::api
