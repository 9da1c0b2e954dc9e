// Turns texts into vectors whose directions say what the texts mean: similar texts have similar
// vectors. Only embedding models can; see Engine::embedder().
//
// Threads: as of an engine. An embedding belongs to the loop that started it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::engine {

// The tokens of each text, with the model's own at beginning and end.
using TokenLists = std::vector<std::vector<std::int32_t>>;

using Vectors = std::vector<std::vector<float>>;

// Texts whose vectors are to be computed. Destroying it stops the model.
class Embedding {
public:
    virtual ~Embedding() = default;

    // Computes all vectors, in the order of the texts; each has the length 1. To be called once.
    // Fails with model_unavailable, and with run_cancelled after stop().
    virtual Task<Result<Vectors>> finish() = 0;

    // Stops the model. A waiting finish() returns soon.
    virtual void stop() = 0;
};

class Embedder {
public:
    virtual ~Embedder() = default;

    // Numbers in a vector.
    virtual std::int64_t dimensions() const = 0;

    // Off the loop if that takes long. The list of a text that has more tokens than
    // Engine::context() may be cut, but is longer than that. A text of blanks may have no tokens.
    virtual Task<TokenLists> tokenize(std::vector<std::string> texts) = 0;

    // Each list must have at least one token and fit into Engine::context().
    virtual std::unique_ptr<Embedding> prepare(TokenLists lists) = 0;
};

// Gives a vector the length 1. False if it has no direction: all numbers are zero, or one is not
// finite.
bool normalize(std::span<float> vector);

}  // namespace parley::engine
