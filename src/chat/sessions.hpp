// The rules about sessions that are not in the store.
//
// Threads: from any event loop.
#pragma once

#include "chat/questions.hpp"
#include "chat/runs.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::chat {

class Sessions {
public:
    Sessions(store::Store& store, const engine::Models& models, const Questions& questions,
             Runs& runs, const Clock& clock)
        : store_(store), models_(models), questions_(questions), runs_(runs), clock_(clock)
    {
    }

    struct New {
        std::optional<std::string> title = {};
        std::optional<std::string> instructions = {};
        std::optional<std::string> model = {};
        store::Metadata metadata = {};
        std::optional<store::KeyClaim> key = {};
        Cause cause = {};
    };
    // Fails with unknown_model, idempotency_mismatch, not_found.
    Task<Result<store::Sessions::Created>> create(Owner owner, New session);

    // Fails with unknown_model, not_found, precondition_failed.
    Task<Result<store::Session>> change(Owner owner, std::string id, store::SessionChange change,
                                        std::optional<std::int64_t> expected);

    // Deletes everything, including the prompt cache of the session; active runs are cancelled, and
    // their readers told. Fails with not_found, precondition_failed.
    Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected = {},
                          Cause cause = {});

    // Deletes a run as store::Runs::remove_run does; active runs are cancelled, and their readers
    // told.
    Task<Result<>> remove_run(Owner owner, std::string run, Cause cause);

    // Another server has deleted a session, or some runs of one: cancels what is active here, and
    // removes the conversation from the models' caches.
    Task<> forget_deleted(std::string user, std::string session);
    Task<> forget_deleted(std::string user, std::string session, std::vector<std::string> runs);

    // A user was deleted: cancels the runs, and removes the user's conversations from the models'
    // caches.
    Task<> forget_user(std::string user);

private:
    // From the models' caches, once these runs have ended: a model that is still writing would
    // cache the conversation when it stops.
    Task<> forget(std::string user, std::string session, std::vector<RunHandle> cancelled);

    store::Store& store_;
    const engine::Models& models_;
    const Questions& questions_;
    Runs& runs_;
    const Clock& clock_;
};

}  // namespace parley::chat
