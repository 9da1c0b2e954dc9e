// An engine answers conversations with one language model. Each kind lives in a folder of its own
// and is chosen by the settings; only app/ knows which ones are running. All of them pass the tests
// in engine_contract.hpp.
//
// Threads: one engine serves all runs, and its methods may be called from any event loop. A reply
// belongs to the loop that started it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine {

class Relay;

struct Turn {
    Speaker speaker = Speaker::user;
    std::string text;
};

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
};

// A conversation that ends with a turn of the user, which is to be answered.
struct Prompt {
    std::string instructions = {};  // Empty: the engine's own.
    std::vector<Turn> turns = {};
    Sampling sampling = {};
    std::string owner = {};    // Whose it is, see owner_key(); empty: nothing of it is kept.
    std::string session = {};  // See session_key(); empty: the conversation is not kept.
    std::string trace = {};    // A valid `traceparent` for other servers; empty: none.
};

// What requests may ask of a model beside text.
struct Capabilities {
    bool json_schema = false;
    bool tools = false;
    bool vision = false;
    bool embeddings = false;
};

// Counts since the start. Threads: any.
struct Figures {
    std::atomic<std::uint64_t> input_tokens = 0;
    std::atomic<std::uint64_t> output_tokens = 0;
    std::atomic<std::uint64_t> upstream_errors = 0;  // Each try counts.

    void add(const Usage& usage)
    {
        input_tokens += static_cast<std::uint64_t>(usage.input_tokens);
        output_tokens += static_cast<std::uint64_t>(usage.output_tokens);
    }
};

// By which an engine knows whose words it has read: they serve nobody else, or others could find
// out what they were. It begins with the user's id, as session_key() does.
inline std::string owner_key(const Owner& owner)
{
    return owner.test ? owner.user + "/test" : owner.user;
}

// By which an engine knows what it keeps for a session's next turn. It begins with the user's id,
// so that all of a user's sessions can be forgotten without anybody knowing them.
inline std::string session_key(const std::string& user, const std::string& session)
{
    return user + "/" + session;
}

struct Finish {
    StopReason reason = StopReason::end_turn;
    Usage usage = {};  // Of the whole answer, with what it was continued from.
};

// What the model has written since the last time: each delta is whole UTF-8, none is empty. Only
// the last one has a finish, and may be without deltas.
struct Written {
    std::vector<std::string> deltas = {};
    std::optional<Finish> finish = {};
};

// A reply being written. Destroying it stops the model.
class Reply {
public:
    virtual ~Reply() = default;

    // Waits until something was written, and gives all that there is; the model may wait for this
    // to be called. Not to be called after a finish or an error. What the model wrote before it
    // failed comes first, the error with the next call. Fails with upstream_error,
    // upstream_timeout, overloaded, model_unavailable.
    virtual Task<Result<Written>> next() = 0;

    // Stops the model. A next() that waits comes back soon, with what was written and a finish
    // (StopReason::cancelled), and so does the one that is called after this.
    virtual void stop() = 0;

    // What the answer has cost so far, for one that ends without a finish. Nothing where that is
    // not known.
    virtual std::optional<Usage> used() const { return {}; }
};

class Engine {
public:
    virtual ~Engine() = default;

    // Tokens that a prompt and its answer may have together.
    virtual std::int64_t context() const = 0;

    // No token is longer than this many bytes: longer texts need not be counted to be refused.
    virtual std::int64_t longest_token() const = 0;

    // Whether an answer can be taken up in the middle.
    virtual bool can_continue() const = 0;

    // How many tokens of the context each of these turns takes; off the loop where that takes long.
    virtual Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn> turns) = 0;

    // `so_far` is what was already written of the answer: the reply goes on after it, as if it had
    // never stopped. Fails as next() does, and with not_implemented where there is text and
    // can_continue() says no.
    virtual Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string so_far) = 0;

    // A session (its session_key), or a user (the id), is gone: so is all that was kept for the
    // next turn of the session, or of all the user's sessions.
    virtual void forget(std::string_view) {}

    // Whether it can answer at once; false while its model is being loaded.
    virtual bool ready() const { return true; }

    // Bytes of this machine's memory that its model takes now; nothing where it takes none of its
    // own, or is not loaded yet.
    virtual std::optional<std::uint64_t> memory() const { return {}; }

    // For whole requests that go to another server as they are; null where there is none.
    virtual Relay* relay() { return nullptr; }

    virtual Capabilities capabilities() const { return {}; }

    const Figures& figures() const { return *figures_; }

protected:
    // Shared with replies, which may outlive their engine.
    const std::shared_ptr<Figures> figures_ = std::make_shared<Figures>();
};

}  // namespace parley::engine
