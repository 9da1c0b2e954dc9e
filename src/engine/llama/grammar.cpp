#include "engine/llama/grammar.hpp"

#include "base/log.hpp"
#include "base/utf8.hpp"

#include <llama.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace parley::engine::llama {
namespace {

constexpr std::size_t likeliest_tried = 256;

Error cannot_follow(std::string_view why, const schema::Schema& schema)
{
    log::error("cannot restrict an answer to its schema", log::kv("reason", why),
               log::kv("schema", schema.text));
    return {Errc::internal, "The answer cannot be restricted to its schema."};
}

bool is_between(char letter, int least, int most)
{
    const auto byte = static_cast<unsigned char>(letter);
    return byte >= least && byte <= most;
}

// Whether some character begins with these bytes, which are none on their own.
bool begins_character(std::string_view bytes)
{
    const auto first = static_cast<unsigned char>(bytes[0]);
    if (first < 0xC2 || first > 0xF4) return false;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (bytes.size() >= length) return false;
    if (bytes.size() == 1) return true;
    // Neither overlong forms nor surrogates, and nothing above U+10FFFF.
    const int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return is_between(bytes[1], least, most) && std::ranges::all_of(bytes.substr(2), [](char each) {
               return is_between(each, 0x80, 0xBF);
           });
}

// The bytes of the last character that is not complete. Nothing if the text is not UTF-8.
std::optional<std::string_view> unfinished_in(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t bytes = utf8::first(text).bytes;
        if (bytes == 0) break;
        text.remove_prefix(bytes);
    }
    if (text.empty() || begins_character(text)) return text;
    return {};
}

}  // namespace

void Grammar::Freed::operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }

Grammar::Grammar(const Vocabulary& vocabulary, Handle grammar)
    : vocabulary_(vocabulary), grammar_(std::move(grammar))
{
}

Grammar::~Grammar() = default;

Result<std::unique_ptr<Grammar>> Grammar::make(const Vocabulary& vocabulary,
                                               const schema::Schema& schema,
                                               std::string_view so_far)
{
    const std::string rules = schema::grammar_of(schema);
    if (rules.empty()) return cannot_follow("it has no grammar", schema);  // llama.cpp allows all.
    Handle handle(llama_sampler_init_grammar(vocabulary.handle(), rules.c_str(), "root"));
    if (!handle) return cannot_follow("llama.cpp refused the grammar", schema);
    std::unique_ptr<Grammar> made(new Grammar(vocabulary, std::move(handle)));
    if (!made->replay(so_far))
        return cannot_follow("the text so far does not match the grammar", schema);
    return made;
}

// Byte by byte, because the tokens of a text may differ from those that were sampled.
bool Grammar::replay(std::string_view so_far)
{
    return std::ranges::all_of(so_far, [this](char byte) {
        const auto token = vocabulary_.token_of_byte(byte);
        return token && accept(*token);
    });
}

Grammar::Chosen Grammar::sample(const Sampler& sampler, bool search_all)
{
    const Token sampled = sampler.sampled();
    if (is_allowed(sampled)) return sampled;
    if (const auto found = choose_among(sampler, sampler.likeliest(likeliest_tried))) return *found;
    // A complete answer ends here, even if the model has something else in mind.
    if (const auto end = choose_among(sampler, vocabulary_.ends_of_turn())) return *end;
    if (!search_all) return NeedsAll{};
    if (const auto found = choose_among(sampler, sampler.likeliest(vocabulary_.size())))
        return *found;
    return Stuck{};
}

std::optional<Token> Grammar::choose_among(const Sampler& sampler, Tokens tokens)
{
    keep_allowed(tokens);
    if (tokens.empty()) return {};
    return sampler.among(tokens);
}

bool Grammar::is_allowed(Token token)
{
    Tokens one{token};
    keep_allowed(one);
    return !one.empty();
}

void Grammar::keep_allowed(Tokens& tokens)
{
    std::vector<llama_token_data> tried;
    tried.reserve(tokens.size());
    for (const Token token : tokens)
        if (is_text(token)) tried.push_back({.id = token, .logit = 0, .p = 0});
    llama_token_data_array array{
        .data = tried.data(), .size = tried.size(), .selected = -1, .sorted = false};
    llama_sampler_apply(grammar_.get(), &array);
    tokens.clear();
    for (const llama_token_data& each : tried)
        if (!std::isinf(each.logit)) tokens.push_back(each.id);
}

// llama.cpp checks neither that bytes are UTF-8, nor what follows a zero byte; and it takes the
// names of special tokens for text.
bool Grammar::is_text(Token token) const
{
    if (vocabulary_.ends_turn(token)) return true;
    if (!vocabulary_.is_plain_text(token)) return false;
    return unfinished_in(unfinished_ + vocabulary_.piece(token)).has_value();
}

bool Grammar::accept(Token token)
{
    const std::string text = unfinished_ + vocabulary_.piece(token);
    const auto unfinished = unfinished_in(text);
    if (!unfinished) return false;
    try {
        llama_sampler_accept(grammar_.get(), token);
    } catch (const std::exception&) {
        return false;
    }
    unfinished_ = *unfinished;
    return true;
}

}  // namespace parley::engine::llama
