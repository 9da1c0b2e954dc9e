#include "engine/llama/vocabulary.hpp"

#include "base/log.hpp"

#include <llama.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>

namespace parley::engine::llama {
namespace {

// llama.cpp treats a run of one character as one word: for 600 kB, that took seconds.
constexpr std::size_t piece_size = 8192;

// llama.cpp logs a lot while it loads; only its errors are passed on to the operator.
void write_log(ggml_log_level level, const char* text, void*)
{
    std::string_view line(text);
    while (line.ends_with('\n')) line.remove_suffix(1);
    if (line.empty()) return;
    if (level == GGML_LOG_LEVEL_ERROR)
        log::warn("llama.cpp error", log::kv("text", line));
    else
        log::debug("llama.cpp", log::kv("text", line));
}

std::string metadata(const llama_model* model, const std::string& key)
{
    std::array<char, 256> value{};
    const int length = llama_model_meta_val_str(model, key.c_str(), value.data(), value.size());
    if (length <= 0) return {};
    return {value.data(), std::min(value.size() - 1, static_cast<std::size_t>(length))};
}

}  // namespace

void start_llama()
{
    static std::once_flag once;
    std::call_once(once, [] {
        llama_log_set(write_log, nullptr);
        llama_backend_init();
    });
}

std::optional<std::int64_t> number_in(const llama_model* model, const std::string& name)
{
    const std::string text = metadata(model, metadata(model, "general.architecture") + "." + name);
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

void ModelFreed::operator()(llama_model* model) const { llama_model_free(model); }

Result<std::unique_ptr<Vocabulary>> Vocabulary::load(const std::string& path)
{
    start_llama();
    llama_model_params params = llama_model_default_params();
    params.vocab_only = true;
    ModelHandle model(llama_model_load_from_file(path.c_str(), params));
    if (!model)
        return Error{
            Errc::model_unavailable,
            "The model in " + path + " has an architecture that this program does not support."};
    return std::unique_ptr<Vocabulary>(new Vocabulary(std::move(model)));
}

Vocabulary::Vocabulary(ModelHandle model)
    : model_(std::move(model)), vocab_(llama_model_get_vocab(model_.get()))
{
    if (const char* text = llama_model_chat_template(model_.get(), nullptr)) chat_template_ = text;
    // Other kinds add a space before each text.
    takes_pieces_ = llama_vocab_type(vocab_) == LLAMA_VOCAB_TYPE_BPE;
    plain_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
        const auto token = static_cast<Token>(i);
        const std::string text = piece(token);
        longest_piece_ = std::max(longest_piece_, static_cast<std::int64_t>(text.size()));
        plain_[i] = !text.empty() && !llama_vocab_is_control(vocab_, token) &&
                    std::ranges::all_of(text, [](char letter) {
                        return static_cast<unsigned char>(letter) >= ' ';
                    });
        if (ends_turn(token)) ends_of_turn_.push_back(token);
        if (text.size() == 1 && plain_[i]) bytes_.emplace(text.front(), token);
    }
    find_frame();
}

// llama.cpp adds both ends or none, but a long text is tokenized in pieces: so the ends are taken
// from a short one.
void Vocabulary::find_frame()
{
    const Tokens bare = tokens("a", Special::plain);
    const Tokens framed = tokens("a", Special::plain, true);
    const auto found = std::ranges::search(framed, bare);
    if (found.empty()) return;  // An odd vocabulary: texts have no frame.
    frame_begin_.assign(framed.begin(), found.begin());
    frame_end_.assign(found.end(), framed.end());
}

Tokens Vocabulary::framed_tokens(std::string_view text) const
{
    Tokens all = frame_begin_;
    const Tokens inner = tokens(text, Special::plain);
    all.insert(all.end(), inner.begin(), inner.end());
    all.insert(all.end(), frame_end_.begin(), frame_end_.end());
    return all;
}

std::optional<Token> Vocabulary::token_of_byte(char byte) const
{
    const auto found = bytes_.find(byte);
    return found == bytes_.end() ? std::nullopt : std::optional(found->second);
}

Tokens Vocabulary::tokens(std::string_view text, Special special, bool begins) const
{
    Tokens all;
    do {
        const std::string_view piece = special == Special::plain ? next_piece(text) : text;
        append_tokens(piece, special, begins && all.empty(), all);
        text.remove_prefix(piece.size());
    } while (!text.empty());
    return all;
}

std::size_t Vocabulary::count(std::string_view text, std::size_t most) const
{
    std::size_t counted = 0;
    while (!text.empty() && counted <= most) {
        const std::string_view piece = next_piece(text);
        Tokens tokens;
        append_tokens(piece, Special::plain, false, tokens);
        counted += tokens.size();
        text.remove_prefix(piece.size());
    }
    return counted;
}

// Up to piece_size bytes, if possible to the end of a word, where no token crosses the boundary.
std::string_view Vocabulary::next_piece(std::string_view text) const
{
    if (!takes_pieces_ || text.size() <= piece_size) return text;
    std::size_t end = text.find_last_of(" \n\t", piece_size);
    if (end == text.npos || end < piece_size / 2) {
        end = piece_size;
        while (end > piece_size - 4 && (text[end] & 0xC0) == 0x80) --end;  // Whole characters only.
    }
    return text.substr(0, end);
}

void Vocabulary::append_tokens(std::string_view text, Special special, bool begins,
                               Tokens& all) const
{
    const std::size_t before = all.size();
    const auto tokenize = [&](std::size_t room) {
        all.resize(before + room);
        return llama_tokenize(vocab_, text.data(), static_cast<std::int32_t>(text.size()),
                              all.data() + before, static_cast<std::int32_t>(room), begins,
                              special == Special::read);
    };
    int count = tokenize(text.size() + 2);
    if (count < 0)
        count = tokenize(static_cast<std::size_t>(-count));  // -count is the number of
                                                             // tokens.
    all.resize(before + static_cast<std::size_t>(std::max(count, 0)));
}

std::string Vocabulary::piece(Token token) const
{
    std::string bytes(32, '\0');
    const auto write = [&] {
        return llama_token_to_piece(vocab_, token, bytes.data(),
                                    static_cast<std::int32_t>(bytes.size()), 0, false);
    };
    int length = write();
    if (length < 0) {  // -length is the needed size.
        bytes.resize(static_cast<std::size_t>(-length));
        length = write();
    }
    bytes.resize(static_cast<std::size_t>(std::max(length, 0)));
    return bytes;
}

bool Vocabulary::ends_turn(Token token) const { return llama_vocab_is_eog(vocab_, token); }

std::size_t Vocabulary::size() const
{
    return static_cast<std::size_t>(llama_vocab_n_tokens(vocab_));
}

std::int64_t Vocabulary::context_of_training() const
{
    return number_in(model_.get(), "context_length").value_or(0);
}

std::int64_t Vocabulary::embedding_dimensions() const
{
    if (const auto projected = number_in(model_.get(), "embedding_length_out")) return *projected;
    return number_in(model_.get(), "embedding_length").value_or(0);
}

}  // namespace parley::engine::llama
