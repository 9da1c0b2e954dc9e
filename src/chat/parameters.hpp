// How the model is to answer, as a run keeps it in the store.
#pragma once

#include "engine/engine.hpp"

#include <string>
#include <string_view>

namespace parley::chat {

std::string write_parameters(const engine::Sampling& sampling);
engine::Sampling read_parameters(std::string_view text);

}  // namespace parley::chat
