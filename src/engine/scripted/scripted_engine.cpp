#include "engine/scripted/scripted_engine.hpp"

#include "base/timer.hpp"
#include "base/utf8.hpp"
#include "engine/answer_reader.hpp"
#include "engine/scripted/deltas.hpp"
#include "engine/scripted/script.hpp"
#include "schema/calls.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace parley::engine::scripted {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t most_at_once = 64;           // Deltas.
constexpr std::int64_t longest_message = 131'072;  // Bytes; it may be a single word.

Error told_to_fail(Errc code)
{
    return {code, "The scripted model failed, as the message requested"};
}

// The message to answer. Results of functions are repeated without their marks.
std::string question(const Prompt& prompt)
{
    const auto found = std::find_if(prompt.turns.rbegin(), prompt.turns.rend(),
                                    [](const Turn& turn) { return turn.speaker == Speaker::user; });
    if (found == prompt.turns.rend()) return {};
    const auto before = std::next(found);
    if (before == prompt.turns.rend() || !has_call(before->text))
        return unescaped_question(found->text);
    const ReadResults read = read_results(found->text);
    std::string text;
    for (const ToolResult& result : read.results)
        text.append(text.empty() ? "" : "\n").append(result.text);
    return text.append(text.empty() || read.text.empty() ? "" : "\n").append(read.text);
}

// The message as a call: a whole one, or the arguments of a function.
Result<boost::json::value> call_of(const schema::Schema& format, const std::string& message)
{
    auto said = schema::parse_answer(message);
    if (!said || schema::is_valid(format, *said)) return said;
    if (auto call = schema::call_with(format, std::move(*said))) return std::move(*call);
    return Error{Errc::validation_failed, "The message is no call."};
}

std::int64_t input_tokens(const Prompt& prompt)
{
    std::int64_t sum = count_words(prompt.instructions);
    for (const Turn& turn : prompt.turns) sum += count_words(turn.text);
    return sum;
}

// With a format: the message if it is valid, else the smallest valid value. Cut in half, it is half
// of its bytes, because JSON has few words.
Script script_of(const Prompt& prompt)
{
    Script script = read_script(question(prompt));
    const schema::SchemaRef& format = prompt.sampling.format;
    if (!format || script.ignores_format) return script;
    script.words.reset();
    const bool is_call = !prompt.answer_prefix.empty();
    const auto given =
        is_call ? call_of(*format, script.text) : schema::valid(*format, script.text);
    script.text = given ? schema::compact(*format, *given) : schema::smallest_of(*format);
    if (script.half) script.text = utf8::cut(script.text, script.text.size() / 2);
    return script;
}

class ScriptedReply final : public Reply {
public:
    ScriptedReply(const Executor& loop, const Prompt& prompt, std::string_view so_far,
                  std::shared_ptr<Figures> figures)
        : figures_(std::move(figures)),
          timer_(loop),
          input_tokens_(input_tokens(prompt)),
          most_(prompt.sampling.max_output_tokens),
          script_(script_of(prompt)),
          is_half_(script_.half && prompt.sampling.format && !script_.ignores_format),
          half_(script_.half && !is_half_ ? std::optional(size_of_reply() / 2) : std::nullopt),
          deltas_(std::move(script_.text), script_.words, prompt.sampling.stop)
    {
        deltas_.skip(so_far.size());
        first_ = deltas_.taken();
        if (first_ == 0) begun_ += script_.first_delay;
    }
    ScriptedReply(const ScriptedReply&) = delete;
    ScriptedReply& operator=(const ScriptedReply&) = delete;
    ~ScriptedReply() override { figures_->add(finish(StopReason::end_turn).usage); }

    Task<Result<Output>> next() override
    {
        if (!stopped_) co_await until(due());
        Output output;
        if (stopped_) {
            output.finish = finish(StopReason::cancelled);
            co_return output;
        }
        if (script_.error) co_return told_to_fail(*script_.error);
        while (!(output.finish = end())) {
            if (fails_now()) {
                if (output.deltas.empty()) co_return told_to_fail(Errc::upstream_error);
                break;
            }
            // If the reply is late, it catches up.
            const bool is_due = output.deltas.empty() || due() <= SteadyClock::now();
            if (!is_due || output.deltas.size() == most_at_once) break;
            output.deltas.push_back(deltas_.take());
        }
        co_return output;
    }

    void stop() override
    {
        stopped_ = true;
        timer_.cancel();
    }

    std::optional<Usage> used() const override { return finish(StopReason::error).usage; }

private:
    std::int64_t size_of_reply() const
    {
        return script_.words ? *script_.words : count_words(script_.text);
    }

    // The time of the next delta. Counted from the beginning, so that small delays do not add up.
    SteadyClock::time_point due() const
    {
        return begun_ + script_.delay * (deltas_.taken() - first_);
    }

    Task<> until(SteadyClock::time_point time)
    {
        if (time <= SteadyClock::now()) {
            // Lets other tasks of this loop run, even without a delay.
            co_await boost::asio::post(timer_.get_executor(), awaiting);
            co_return;
        }
        timer_.expires_at(time);
        boost::system::error_code cancelled;
        co_await timer_.async_wait(boost::asio::redirect_error(awaiting, cancelled));
    }

    bool fails_now() const { return script_.fail_after && deltas_.taken() >= *script_.fail_after; }

    // Nothing while the reply continues or fails.
    std::optional<Finish> end() const
    {
        if (fails_now()) return {};
        if (half_ && deltas_.taken() >= *half_) return finish(StopReason::max_tokens);
        if (!deltas_.more() && is_half_) return finish(StopReason::max_tokens);
        if (!deltas_.more())
            return finish(deltas_.cut() ? StopReason::stop_sequence : StopReason::end_turn);
        if (most_ && deltas_.taken() >= *most_) return finish(StopReason::max_tokens);
        return {};
    }

    Finish finish(StopReason reason) const
    {
        return {.reason = reason,
                .usage = {.input_tokens = input_tokens_, .output_tokens = deltas_.taken()}};
    }

    std::shared_ptr<Figures> figures_;
    Timer timer_;
    const std::int64_t input_tokens_;
    const std::optional<std::int64_t> most_;
    Script script_;
    const bool is_half_;  // The text is only the first half.
    const std::optional<std::int64_t> half_;
    Deltas deltas_;
    std::int64_t first_ = 0;  // The first delta of this reply.
    SteadyClock::time_point begun_ = SteadyClock::now();
    bool stopped_ = false;
};

class ScriptedEngine final : public Engine {
public:
    explicit ScriptedEngine(ScriptedOptions options) : options_(options) {}

    std::int64_t context() const override { return options_.context; }
    std::int64_t longest_token() const override { return longest_message; }
    bool can_continue() const override { return true; }
    Capabilities capabilities() const override { return {.json_schema = true}; }

    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) override
    {
        std::vector<std::int64_t> counts;
        counts.reserve(turns.size());
        for (const Turn& turn : turns) counts.push_back(count_words(turn.text));
        co_return counts;
    }

    Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) override
    {
        const Executor loop = co_await boost::asio::this_coro::executor;
        std::unique_ptr<Reply> reply =
            std::make_unique<ScriptedReply>(loop, prompt, so_far, figures_);
        co_return reply;
    }

private:
    const ScriptedOptions options_;
};

}  // namespace

std::unique_ptr<Engine> make_scripted_engine(ScriptedOptions options)
{
    return std::make_unique<ScriptedEngine>(options);
}

}  // namespace parley::engine::scripted
