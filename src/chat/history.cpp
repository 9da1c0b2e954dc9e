#include "chat/history.hpp"

#include "chat/images.hpp"
#include "chat/parameters.hpp"
#include "engine/tool_prompt.hpp"

#include <algorithm>
#include <numeric>

namespace parley::chat {
namespace {

// A limit for conversations of very short messages: longer ones would be too slow to read for each
// question.
constexpr std::size_t max_messages = 2000;
constexpr std::size_t page_size = 100;

// A limit for models that report very long tokens: no model reads more than this.
constexpr std::int64_t max_bytes = std::int64_t{16} * 1024 * 1024;

// The maximum overhead of a turn in a model's format, in tokens.
constexpr std::int64_t around_a_turn = 16;

// Reserved for an answer without a limit.
constexpr std::int64_t usual_answer = 1024;

constexpr std::int64_t percent_kept = 60;

// A question, and the branch above it.
struct Asked {
    const Owner& owner;
    const std::string& session;
    const std::string& leaf;  // The branch that is read ends here: at the question itself, or above
                              // it, if the question is not stored.
    const std::string& model;
    std::int64_t depth = 0;
    engine::Turn question;
};

// One question and its answer; the last one has no answer yet.
struct Exchange {
    std::int64_t depth = 0;
    std::vector<engine::Turn> turns;
    std::int64_t tokens = 0;
};

std::int64_t room_for_prompt(const engine::Engine& engine, const engine::Sampling& sampling)
{
    const std::int64_t context = engine.context();
    const std::int64_t answer = sampling.max_output_tokens.value_or(usual_answer);
    return context - std::min(answer, sampling.max_output_tokens ? context / 2 : context / 4);
}

bool has_text(const store::Message& message)
{
    return std::ranges::any_of(message.parts, [](const auto& part) { return !part.empty(); });
}

// At most as many tokens, since a token has at least one byte.
std::int64_t size_of(std::size_t text, std::size_t images)
{
    return static_cast<std::int64_t>(text) +
           static_cast<std::int64_t>(images) * engine::tokens_of_image;
}

Task<Result<std::int64_t>> count(engine::Engine& engine, std::vector<engine::Turn> turns)
{
    auto counts = co_await engine.count(std::move(turns));
    if (!counts) co_return counts.error();
    co_return std::accumulate(counts->begin(), counts->end(), std::int64_t{0});
}

// The number of bytes that cannot fit into this many tokens.
std::int64_t more_than_fits(const engine::Engine& engine, std::int64_t room)
{
    const std::int64_t longest = std::max<std::int64_t>(engine.longest_token(), 1);
    return room < max_bytes / longest ? room * longest : max_bytes;
}

// Reads from the question upwards, to the first turn with which the total exceeds `enough` bytes:
// that turn and all earlier ones will not be shown. Returns them in reading order.
Task<Result<std::vector<store::Message>>> load(store::Store& store, const Asked& asked,
                                               std::int64_t enough, bool sees_images)
{
    std::vector<store::Message> messages;
    std::int64_t bytes = 0;
    const auto take = [&](store::Message message) {
        const bool asks = message.speaker == Speaker::user;
        // A question without an answer is not shown and does not count.
        const bool is_shown = !asks || messages.empty() || has_text(messages.back());
        if (is_shown && sees_images) bytes += size_of(0, message.images.size());
        for (const std::string& part : message.parts)
            if (is_shown) bytes += static_cast<std::int64_t>(part.size());
        messages.push_back(std::move(message));
        return !asks || bytes <= enough;
    };
    std::optional<store::Messages::Position> after;
    do {
        auto read = co_await store.messages().list_ancestors(asked.owner, asked.session, asked.leaf,
                                                             after, page_size);
        if (!read) co_return read.error();
        after = read->page.next;
        for (auto& placed : read->page.items) {
            if (take(std::move(placed.message))) continue;
            after.reset();
            break;
        }
    } while (after && messages.size() < max_messages);
    std::ranges::reverse(messages);
    co_return messages;
}

// Questions with their answers, except empty answers. An imported conversation may begin with an
// answer.
std::vector<Exchange> pair_up(const std::vector<store::Message>& messages, bool sees_images)
{
    std::vector<Exchange> exchanges;
    if (const store::Message& first = messages.front();
        first.speaker == Speaker::assistant && !first.parent)
        exchanges.push_back({.depth = 0, .turns = {{first.speaker, text_of(first.parts)}}});
    for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
        const store::Message& question = messages[i];
        if (question.speaker != Speaker::user) continue;
        const store::Message& answer = messages[i + 1];
        std::string text = text_of(answer.parts);
        if (text.empty()) continue;
        exchanges.push_back(
            {.depth = question.depth,
             .turns = {turn_of(question, sees_images), {Speaker::assistant, std::move(text)}}});
    }
    return exchanges;
}

// The first turn that the previous question showed to the model, if it is the same model.
Task<std::int64_t> earlier_beginning(store::Store& store, const Asked& asked,
                                     const std::vector<store::Message>& messages)
{
    const auto last_answer = std::ranges::find(messages.rbegin(), messages.rend(),
                                               Speaker::assistant, &store::Message::speaker);
    if (last_answer == messages.rend()) co_return 0;
    if (!last_answer->run || last_answer->model != asked.model) co_return 0;
    auto earlier = co_await store.runs().find_run(asked.owner, *last_answer->run);
    co_return earlier ? earlier->run.history_from : 0;
}

std::int64_t bytes_of(const std::vector<Exchange>& exchanges)
{
    std::int64_t bytes = 0;
    for (const Exchange& exchange : exchanges)
        for (const engine::Turn& turn : exchange.turns)
            bytes += size_of(turn.text.size(), turn.images.size()) + around_a_turn;
    return bytes;
}

}  // namespace

std::string text_of(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
}

namespace {

Task<Result<History>> cut_to_context(store::Store& store, engine::Engine& engine, Asked asked,
                                     const engine::Sampling& sampling,
                                     const std::string& instructions)
{
    History made{.turns = {}, .from = asked.depth};
    const engine::Turn& question = asked.question;
    const std::int64_t room = room_for_prompt(engine, sampling);
    const bool sees_images = engine.capabilities().vision;
    auto messages = co_await load(store, asked, more_than_fits(engine, room), sees_images);
    if (!messages) co_return messages.error();
    std::vector<Exchange> exchanges = pair_up(*messages, sees_images);
    const std::int64_t alone =
        size_of(question.text.size() + instructions.size(), question.images.size()) +
        2 * around_a_turn;
    // A token has at least one byte, so a text with few enough bytes fits without counting.
    if (bytes_of(exchanges) + alone > room) {
        auto used = co_await count(engine, {{Speaker::user, instructions}, question});
        if (!used) co_return used.error();
        std::int64_t total = *used;
        for (Exchange& exchange : exchanges) {
            auto tokens = co_await count(engine, exchange.turns);
            if (!tokens) co_return tokens.error();
            exchange.tokens = *tokens;
            total += *tokens;
        }
        const auto drop = [&](auto&& until) {
            std::size_t dropped = 0;
            while (dropped < exchanges.size() && !until(exchanges[dropped]))
                total -= exchanges[dropped++].tokens;
            exchanges.erase(exchanges.begin(),
                            exchanges.begin() + static_cast<std::ptrdiff_t>(dropped));
        };
        if (total > room) {
            const std::int64_t from = co_await earlier_beginning(store, asked, *messages);
            drop([&](const Exchange& exchange) { return exchange.depth >= from; });
        }
        if (total > room) drop([&](const Exchange&) { return total * 100 <= room * percent_kept; });
    }
    if (!exchanges.empty()) made.from = exchanges.front().depth;
    for (Exchange& exchange : exchanges)
        std::ranges::move(exchange.turns, std::back_inserter(made.turns));
    made.turns.push_back(question);
    co_return made;
}

}  // namespace

Task<Result<History>> history(store::Store& store, engine::Engine& engine,
                              const store::RunWithMessages& whole, const std::string& instructions)
{
    engine::Turn question = turn_of(whole.question, engine.capabilities().vision);
    if (!whole.question.parent)  // The first message: no history.
        co_return History{.turns = {std::move(question)}, .from = whole.question.depth};
    const auto sampling = read_parameters(whole.run.parameters);
    if (!sampling) co_return sampling.error();
    co_return co_await cut_to_context(store, engine,
                                      {.owner = whole.run.owner,
                                       .session = whole.run.session,
                                       .leaf = whole.question.id,
                                       .model = whole.run.model,
                                       .depth = whole.question.depth,
                                       .question = std::move(question)},
                                      *sampling, instructions);
}

Task<Result<History>> history_below(store::Store& store, engine::Engine& engine,
                                    const store::RunWithMessages& previous, engine::Turn question,
                                    const engine::Sampling& sampling,
                                    const std::string& instructions)
{
    co_return co_await cut_to_context(store, engine,
                                      {.owner = previous.run.owner,
                                       .session = previous.run.session,
                                       .leaf = previous.run.answer,
                                       .model = previous.run.model,
                                       .depth = previous.question.depth + 2,
                                       .question = std::move(question)},
                                      sampling, instructions);
}

Task<Result<>> check_length(engine::Engine& engine, const engine::Prompt& prompt)
{
    const std::int64_t room = room_for_prompt(engine, prompt.sampling);
    const std::string instructions =
        prompt.instructions + engine::tool_section(prompt.sampling, engine.tool_use());
    auto bytes = static_cast<std::int64_t>(instructions.size());
    for (const engine::Turn& turn : prompt.turns)
        bytes += size_of(turn.text.size(), turn.images.size());
    const auto turns = static_cast<std::int64_t>(prompt.turns.size());
    if (bytes + (turns + 1) * around_a_turn <= room) co_return Result<>();
    const Error too_long{Errc::message_too_long, "The message is longer than the model's context."};
    if (bytes / engine.longest_token() > room) co_return too_long;
    std::vector<engine::Turn> counted{{Speaker::user, instructions}};
    counted.insert(counted.end(), prompt.turns.begin(), prompt.turns.end());
    auto tokens = co_await count(engine, std::move(counted));
    if (!tokens) co_return tokens.error();
    if (*tokens > room) co_return too_long;
    co_return Result<>();
}

Task<Result<>> check_length(engine::Engine& engine, engine::Turn question,
                            const std::string& instructions, const engine::Sampling& sampling)
{
    engine::Prompt alone{.instructions = instructions, .sampling = sampling};
    alone.turns.push_back(std::move(question));
    co_return co_await check_length(engine, alone);
}

}  // namespace parley::chat
