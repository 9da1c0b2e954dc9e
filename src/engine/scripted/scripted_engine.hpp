// The scripted model: answers without weights, the same each time, and simulates faults on demand,
// so that clients can be tested. It is part of the product.
#pragma once

#include "engine/engine.hpp"

namespace parley::engine::scripted {

struct ScriptedOptions {
    std::int64_t context = 262'144;  // In words.
};

std::unique_ptr<Engine> make_scripted_engine(ScriptedOptions options = {});

}  // namespace parley::engine::scripted
