// The scripted model: answers without weights, the same each time, and plays faults
// on demand, so that authors of clients can rehearse. It ships as a product.
#pragma once

#include "engine/engine.hpp"

namespace parley::engine::scripted {

struct ScriptedOptions {
    std::int64_t context = 262'144;  // In words.
};

std::unique_ptr<Engine> make_scripted_engine(ScriptedOptions options = {});

}  // namespace parley::engine::scripted
