// The tokens and the chat template of a model: everything in a GGUF file except its weights.
//
// Threads: read from any thread.
#pragma once

#include "base/error.hpp"
#include "engine/llama/token.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct llama_model;
struct llama_vocab;

namespace parley::engine::llama {

// Initialises llama.cpp, once per process, and redirects its log to ours.
void start_llama();

struct ModelFreed {
    void operator()(llama_model* model) const;
};
using ModelHandle = std::unique_ptr<llama_model, ModelFreed>;

// A number of the file's metadata, under the name of its architecture.
std::optional<std::int64_t> number_in(const llama_model* model, const std::string& name);

// Whether the names of special tokens in a text mean those tokens. Never in text of users: they
// could end their turn and continue in another role.
enum class Special { read, plain };

class Vocabulary {
public:
    // Fails with a message for the operator.
    static Result<std::unique_ptr<Vocabulary>> load(const std::string& path);

    // `begins`: with the model's BOS token, if it has one. A long plain text is tokenized in
    // pieces, so that the time is proportional to its size.
    Tokens tokens(std::string_view text, Special special, bool begins = false) const;

    // A plain text with the tokens that the model expects at beginning and end of a text.
    Tokens framed_tokens(std::string_view text) const;

    // How many tokens a plain text has. Counting ends once there are more than `most`.
    std::size_t count(std::string_view text, std::size_t most) const;

    // The bytes that a token stands for; none for special ones.
    std::string piece(Token token) const;
    bool ends_turn(Token token) const;
    const Tokens& ends_of_turn() const { return ends_of_turn_; }

    // Whether it stands for text without control characters, and is no special token.
    bool is_plain_text(Token token) const { return plain_[static_cast<std::size_t>(token)]; }

    // The token of a single byte; nothing if there is none.
    std::optional<Token> token_of_byte(char byte) const;

    const llama_vocab* handle() const { return vocab_; }

    std::size_t size() const;
    std::int64_t longest_piece() const { return longest_piece_; }
    std::int64_t context_of_training() const;
    std::int64_t embedding_dimensions() const;  // 0 if the file does not say.

    // From the file; empty if it has none.
    const std::string& chat_template() const { return chat_template_; }

private:
    explicit Vocabulary(ModelHandle model);
    void find_frame();
    void append_tokens(std::string_view text, Special special, bool begins, Tokens& all) const;
    std::string_view next_piece(std::string_view text) const;

    ModelHandle model_;
    const llama_vocab* vocab_;
    std::string chat_template_;
    std::int64_t longest_piece_ = 1;
    std::vector<bool> plain_;
    Tokens ends_of_turn_;
    std::map<char, Token> bytes_;
    Tokens frame_begin_;
    Tokens frame_end_;
    bool takes_pieces_ =
        false;  // Two halves of a text have the tokens of the whole, or a few more.
};

}  // namespace parley::engine::llama
