// Restricts an answer to the values of a schema: says which tokens may come next. It follows the
// bytes of the answer, so that a text from before a restart is replayed, wherever it ended.
//
// Threads: made on any thread; belongs to the engine's thread after that.
#pragma once

#include "engine/llama/sampler.hpp"
#include "engine/llama/vocabulary.hpp"
#include "schema/schema.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct llama_sampler;  // NOLINT(readability-identifier-naming): of llama.cpp.

namespace parley::engine::llama {

class Grammar {
public:
    // Positioned after `so_far`. Fails with internal: an answer is never free because of a fault
    // here. The vocabulary must outlive it.
    static Result<std::unique_ptr<Grammar>> make(const Vocabulary& vocabulary,
                                                 const schema::Schema& schema,
                                                 std::string_view so_far);
    ~Grammar();
    Grammar(const Grammar&) = delete;
    Grammar& operator=(const Grammar&) = delete;

    struct NeedsAll {};  // None of the likeliest tokens may come next.
    struct Stuck {};     // No token may come next.
    using Chosen = std::variant<Token, NeedsAll, Stuck>;

    // The sampled token if it may come next; else one of the likeliest that may. Only with
    // `search_all` every token of the vocabulary is tried, which takes as long as a decode step.
    Chosen sample(const Sampler& sampler, bool search_all);

    // Adds a token that sample() returned, and that does not end the turn. False: it does not fit.
    bool accept(Token token);

private:
    struct Freed {
        void operator()(llama_sampler* sampler) const;
    };
    using Handle = std::unique_ptr<llama_sampler, Freed>;

    Grammar(const Vocabulary& vocabulary, Handle grammar);

    bool replay(std::string_view so_far);
    std::optional<Token> choose_among(const Sampler& sampler, Tokens tokens);
    bool is_allowed(Token token);
    void keep_allowed(Tokens& tokens);
    bool is_text(Token token) const;

    const Vocabulary& vocabulary_;
    Handle grammar_;
    std::string unfinished_;  // The bytes of a character that is not complete.
};

}  // namespace parley::engine::llama
