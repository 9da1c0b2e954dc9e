// The checks of a question before it becomes a run. All refusals happen before anything is stored.
//
// Threads: from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/images.hpp"
#include "chat/parameters.hpp"
#include "chat/runs.hpp"
#include "engine/models.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::chat {

// How long a key is remembered.
inline constexpr std::chrono::hours key_life{24};

struct Question {
    std::optional<std::vector<std::string>> parts = {};  // Nothing: answer `parent` once more.
    std::vector<ImageRef> images = {};                   // The images of the parts.
    std::vector<engine::Turn> earlier = {};              // Earlier turns; only without a session.
    std::vector<store::Image> new_images = {};           // Images of question and earlier turns.
    std::string place_of_images = {};  // The pointer of the first one, for errors.
    std::optional<std::string> session = {};
    bool new_beginning = false;
    std::optional<std::string> parent = {};
    std::optional<std::string> model = {};
    std::optional<std::string> instructions = {};  // Only for a new session.
    ResponseParameters response = {};
    engine::Sampling sampling = {};
    store::Metadata metadata = {};
    std::optional<store::KeyClaim> key = {};
    bool must_replay = false;     // It was charged as a replay, so it must be one.
    std::string request_id = {};  // For both logs.
    std::string trace = {};       // A valid `traceparent`; may be empty.
    std::optional<store::AttemptClaim> attempt = {};  // It is asked by an automation:
    std::string automation = {};                      // aut_…
    std::string title = {};                           // For new sessions; empty: from the question.
    std::optional<std::chrono::seconds> timeout = {};  // Shorter than the server's.

    void put(Content content)
    {
        parts = std::move(content.parts);
        images = std::move(content.images);
    }
};

// A question that was accepted. `replayed`: its idempotency key was used before, and this is the
// run of the first time; it may have ended.
struct AcceptedQuestion {
    RunHandle run;
    bool replayed = false;
};

class Questions {
public:
    Questions(store::Store& store, const engine::Models& models, Runs& runs, const Clock& clock)
        : store_(store), models_(models), runs_(runs), clock_(clock)
    {
    }

    // Returns when the question is stored. Fails with validation_failed, unknown_model,
    // message_too_long, not_found, session_busy, idempotency_mismatch, overloaded, shutting_down
    // and as the store does; with conflict if it must replay and there is nothing to be replayed.
    Task<Result<AcceptedQuestion>> ask(Owner owner, Question question);

    // The model for this name and owner: in test mode always the scripted one. Fails with
    // unknown_model.
    Result<std::string> model_for(const Owner& owner, const std::optional<std::string>& name) const;

private:
    struct SessionContext;  // The session of the question, if it exists already.

    Task<Result<SessionContext>> resolve_session(const Owner& owner, const Question& question);
    Result<> check_shape(const Question& question) const;
    static Result<> check_images(const engine::Engine& engine, const Question& question,
                                 const SessionContext& ground);
    store::NewRun new_run(const Owner& owner, Question question, const SessionContext& ground,
                          std::string model) const;
    Task<Result<AcceptedQuestion>> begin(Owner owner, store::NewRun run, std::string request_id);
    Task<Error> why_missing(const Owner& owner, const Question& question);
    Task<Result<AcceptedQuestion>> replay(store::RunWithMessages whole);

    store::Store& store_;
    const engine::Models& models_;
    Runs& runs_;
    const Clock& clock_;
};

}  // namespace parley::chat
