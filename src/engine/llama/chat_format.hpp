// Formats a conversation for the model, by the chat template of its file.
//
// The template is filled with marks instead of words, and the words are put between its parts
// afterwards: so a template cannot change what people wrote, and what they wrote is never taken for
// a part of the template.
//
// Threads: used from any thread.
#pragma once

#include "engine/engine.hpp"
#include "engine/llama/vocabulary.hpp"

namespace parley::engine::llama {

class ChatFormat {
public:
    struct Formatted {
        Tokens tokens;
        // Those before the first turn: they depend on instructions alone.
        std::size_t instruction_tokens = 0;
        // Those before the answer; the others were written earlier.
        std::size_t prompt_tokens = 0;
    };

    // `instructions` are the default for conversations without any. The vocabulary must outlive
    // this. Fails with a message for the operator if the template is not supported.
    static Result<ChatFormat> make(const Vocabulary& vocabulary, std::string instructions);

    Formatted write(const Prompt& prompt, std::string_view so_far) const;

    // Tokens of a turn, including the template around it. Counting ends once there are more than
    // `most`.
    std::int64_t count(const Turn& turn, std::int64_t most) const;

    // Tokens of a conversation beside its instructions and turns.
    std::int64_t overhead() const { return overhead_; }

private:
    // Text of the template, and after it the words that the mark stood for.
    struct Part {
        std::string text;
        std::size_t mark = 0;  // 0: instructions; 1…: turns.
    };
    struct Filled {
        std::vector<Part> parts;
        std::string end;  // After the last mark.
    };

    ChatFormat(const Vocabulary& vocabulary, std::string instructions);

    // Fills the template for these speakers; nothing if that fails, or if the template drops a
    // mark.
    std::optional<Filled> fill(const std::vector<Speaker>& speakers, bool with_instructions) const;

    const Vocabulary* vocabulary_;
    std::string template_;
    std::string instructions_;
    bool takes_instructions_ = true;
    std::int64_t around_turn_ = 0;
    std::int64_t overhead_ = 0;
};

}  // namespace parley::engine::llama
