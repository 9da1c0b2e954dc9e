#include "engine/llama/chat_format.hpp"

#include "engine/tool_text.hpp"

#include <llama.h>

#include <utility>

namespace parley::engine::llama {
namespace {

// A text that no template contains, trims or changes.
std::string mark_of(std::size_t number) { return "[[~" + std::to_string(number) + "~]]"; }

// The text as its author wrote it: a client may have its own form of calls and results, which the
// model must see unchanged.
std::string text_of(const Turn& turn)
{
    return turn.speaker == Speaker::user ? unescaped_question(turn.text) : unescaped(turn.text);
}

const char* role_of(Speaker speaker) { return speaker == Speaker::user ? "user" : "assistant"; }

}  // namespace

Result<ChatFormat> ChatFormat::make(const Vocabulary& vocabulary, std::string instructions)
{
    ChatFormat format(vocabulary, std::move(instructions));
    const std::vector<Speaker> short_one{Speaker::user};
    const std::vector<Speaker> long_one{Speaker::user, Speaker::assistant, Speaker::user};
    format.takes_instructions_ = format.fill(short_one, true).has_value();
    const auto with_one = format.fill(short_one, format.takes_instructions_);
    const auto with_three = format.fill(long_one, format.takes_instructions_);
    if (!with_one || !with_three)
        return Error{Errc::model_unavailable,
                     format.template_.empty()
                         ? "The model's file has no chat template, so it cannot chat."
                         : "This program does not support the chat template of the model's file."};

    const auto tokens_of = [&](const Filled& filled) {
        std::size_t sum = vocabulary.tokens(filled.end, Special::read).size() + 1;
        for (const Part& part : filled.parts)
            sum += vocabulary.tokens(part.text, Special::read).size();
        return static_cast<std::int64_t>(sum);
    };
    const std::int64_t one = tokens_of(*with_one);
    format.around_turn_ = (tokens_of(*with_three) - one + 1) / 2;
    format.overhead_ = one;
    return format;
}

ChatFormat::ChatFormat(const Vocabulary& vocabulary, std::string instructions)
    : vocabulary_(&vocabulary),
      template_(vocabulary.chat_template()),
      instructions_(std::move(instructions))
{
}

std::optional<ChatFormat::Filled> ChatFormat::fill(const std::vector<Speaker>& speakers,
                                                   bool with_instructions) const
{
    if (template_.empty()) return {};
    std::vector<std::string> marks;  // Complete before pointers into it are taken.
    for (std::size_t i = 0; i <= speakers.size(); ++i) marks.push_back(mark_of(i));
    std::vector<llama_chat_message> messages;
    if (with_instructions) messages.push_back({"system", marks.front().c_str()});
    for (std::size_t i = 0; i < speakers.size(); ++i)
        messages.push_back({role_of(speakers[i]), marks[i + 1].c_str()});

    std::string text(256 + speakers.size() * 128, '\0');
    const auto apply = [&] {
        return llama_chat_apply_template(template_.c_str(), messages.data(), messages.size(), true,
                                         text.data(), static_cast<std::int32_t>(text.size()));
    };
    int length = apply();
    if (length > static_cast<int>(text.size())) {
        text.resize(static_cast<std::size_t>(length));
        length = apply();
    }
    if (length < 0) return {};
    text.resize(static_cast<std::size_t>(length));

    Filled filled;
    std::size_t at = 0;
    for (std::size_t i = with_instructions ? 0 : 1; i < marks.size(); ++i) {
        const std::size_t found = text.find(marks[i], at);
        if (found == std::string::npos) return {};
        filled.parts.push_back({.text = text.substr(at, found - at), .mark = i});
        at = found + marks[i].size();
    }
    filled.end = text.substr(at);
    return filled;
}

ChatFormat::Formatted ChatFormat::write(const Prompt& prompt, std::string_view so_far) const
{
    std::string instructions = prompt.instructions.empty() ? instructions_ : prompt.instructions;
    if (!prompt.tool_section.empty()) instructions.append("\n\n").append(prompt.tool_section);
    std::vector<Speaker> speakers;
    speakers.reserve(prompt.turns.size());
    for (const Turn& turn : prompt.turns) speakers.push_back(turn.speaker);
    // A template that accepts three turns accepts any order of speakers.
    const Filled filled = fill(speakers, takes_instructions_).value_or(Filled{});

    Formatted formatted;
    const auto add = [&](std::string_view text, Special special) {
        const bool begins = formatted.tokens.empty() && special == Special::read;
        const Tokens more = vocabulary_->tokens(text, special, begins);
        formatted.tokens.insert(formatted.tokens.end(), more.begin(), more.end());
    };
    for (const Part& part : filled.parts) {
        add(part.text, Special::read);
        if (part.mark == 0) {
            add(instructions, Special::plain);
            continue;
        }
        // For a model without a system role, instructions precede the first question.
        if (part.mark == 1 && !takes_instructions_) add(instructions + "\n\n", Special::plain);
        if (part.mark == 1) formatted.instruction_tokens = formatted.tokens.size();
        add(text_of(prompt.turns[part.mark - 1]), Special::plain);
    }
    add(filled.end, Special::read);
    add(prompt.answer_prefix, Special::plain);
    formatted.prompt_tokens = formatted.tokens.size();
    add(so_far, Special::plain);
    return formatted;
}

std::int64_t ChatFormat::count(const Turn& turn, std::int64_t most) const
{
    if (most <= 0) return around_turn_;
    const std::size_t counted = vocabulary_->count(turn.text, static_cast<std::size_t>(most));
    return static_cast<std::int64_t>(counted) + around_turn_;
}

}  // namespace parley::engine::llama
