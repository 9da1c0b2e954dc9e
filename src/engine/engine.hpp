// An engine answers conversations with one language model. Each kind lives in a folder of its own
// and is chosen by the settings; only models/ knows which ones are running. All of them pass the
// tests in engine_contract.hpp.
//
// Threads: one engine serves all runs, and its methods may be called from any event loop. A reply
// belongs to the loop that started it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "engine/tools.hpp"
#include "schema/schema.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine {

class Embedder;
class Relay;

// An image in a turn. `url` is a `data:` or `https:` URL for the model, or the path of a stored
// image (domain/image.hpp), until chat/ replaces it by its data.
struct TurnImage {
    std::size_t at = 0;  // The bytes of the text before it.
    std::shared_ptr<const std::string> url = {};
};

struct Turn {
    Speaker speaker = Speaker::user;
    std::string text = {};
    std::vector<TurnImage> images =
        {};  // In order; only of users, and only for models with vision.
};

// Counted for each image: what models take for one of usual size.
inline constexpr std::int64_t tokens_of_image = 1024;

// Absent: the engine's default.
struct Sampling {
    std::optional<std::int64_t> max_output_tokens = {};
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<std::int64_t> top_k = {};  // 0: all tokens.
    std::optional<double> min_p = {};
    std::optional<double> repeat_penalty = {};  // 1: none.
    std::optional<double> presence_penalty = {};
    std::optional<double> frequency_penalty = {};
    std::map<std::int64_t, double> logit_bias = {};  // By token id of the model.
    std::optional<std::uint32_t> seed = {};
    std::vector<std::string> stop = {};
    schema::SchemaRef format = {};  // The answer must be valid JSON for it; null: text.
    ToolsRef tools = {};            // Null: none.
};

// A conversation that ends with a turn of the user, which is to be answered.
struct Prompt {
    std::string instructions = {};  // Empty: the engine's own.
    std::vector<Turn> turns = {};
    Sampling sampling = {};
    // For models in this process, set by checked_start():
    std::string tool_section = {};   // Follows the instructions.
    std::string answer_prefix = {};  // The model reads it as the beginning of its answer.
    std::string owner = {};          // See owner_key(); empty: nothing is cached.
    std::string session = {};        // See session_key(); empty: the conversation is not cached.
    std::string trace = {};          // A valid `traceparent` for other servers; empty: none.
};

// Features of a model beside text.
struct Capabilities {
    bool json_schema = false;
    bool tools = false;  // It calls functions by its own choice.
    bool vision = false;
    bool embeddings = false;
};

// Counts since the start. Threads: any.
struct Figures {
    std::atomic<std::uint64_t> input_tokens = 0;
    std::atomic<std::uint64_t> output_tokens = 0;
    std::atomic<std::uint64_t> upstream_errors = 0;  // Each attempt counts.

    void add(const Usage& usage)
    {
        input_tokens += static_cast<std::uint64_t>(usage.input_tokens);
        output_tokens += static_cast<std::uint64_t>(usage.output_tokens);
    }
};

// The key of an owner in prompt caches: a cached text serves only its owner, because others could
// otherwise guess it. Begins with the user's id, as session_key() does.
inline std::string owner_key(const Owner& owner)
{
    return owner.test ? owner.user + "/test" : owner.user;
}

// The key of a session in prompt caches. Begins with the user's id, so that all sessions of a user
// can be removed by that id.
inline std::string session_key(const std::string& user, const std::string& session)
{
    return user + "/" + session;
}

struct Finish {
    StopReason reason = StopReason::end_turn;
    Usage usage = {};  // The tokens of the whole answer, including the part before a restart.
};

// New text of the model: each delta is complete UTF-8, none is empty. Only the last one has a
// finish, and may be without deltas.
struct Output {
    std::vector<std::string> deltas = {};
    std::optional<Finish> finish = {};
};

// A reply being written. Destroying it stops the model.
class Reply {
public:
    virtual ~Reply() = default;

    // Waits for text and returns all of it; the model may wait for this call. Not to be called
    // after a finish or an error. Text before a failure is returned first, the error with the next
    // call. Fails with upstream_error, upstream_timeout, overloaded, model_unavailable.
    virtual Task<Result<Output>> next() = 0;

    // Stops the model. A waiting next() returns soon, with the text so far and a finish
    // (StopReason::cancelled), and so does the next call.
    virtual void stop() = 0;

    // The usage so far, for an answer that ends without a finish. Nothing if it is not known.
    virtual std::optional<Usage> used() const { return {}; }
};

class Engine {
public:
    virtual ~Engine() = default;

    // Tokens that a prompt and its answer may have together.
    virtual std::int64_t context() const = 0;

    // Upper bound for the bytes of a token: much longer texts are refused without counting.
    virtual std::int64_t longest_token() const = 0;

    // Whether an interrupted answer can be continued.
    virtual bool can_continue() const = 0;

    // The tokens of each of these turns; counted off the loop if that takes long.
    virtual Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) = 0;

    // Use checked_start() (engine/checked_start.hpp) if the prompt may have a format or tools.
    // `so_far` is the text of the answer so far: the reply continues after it, as if it had never
    // stopped. Fails as next() does, and with not_implemented if there is text and can_continue()
    // is false.
    virtual Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) = 0;

    // Removes a session (its session_key) or all sessions of a user (the id) from the prompt cache.
    virtual void forget(std::string_view) {}

    // Whether it can answer now; false while its model is loading.
    virtual bool ready() const { return true; }

    // The memory of its model in bytes; nothing if it uses none on this machine, or is not loaded
    // yet.
    virtual std::optional<std::uint64_t> memory() const { return {}; }

    // For requests that are passed on to another server unchanged; null if not supported.
    virtual Relay* relay() { return nullptr; }

    // For vectors of texts, computed in this process; null if not supported.
    virtual Embedder* embedder() { return nullptr; }

    // Whether it answers conversations. Embedding models do not: count() and start() fail.
    virtual bool can_chat() const { return true; }

    virtual Capabilities capabilities() const { return {}; }

    virtual ToolUse tool_use() const { return ToolUse::demanded; }

    // Whether it cannot write an answer that does not match the format of its prompt.
    virtual bool enforces_format() const { return false; }

    const Figures& figures() const { return *figures_; }

protected:
    // Shared with replies, which may outlive their engine.
    const std::shared_ptr<Figures> figures_ = std::make_shared<Figures>();
};

}  // namespace parley::engine
