// The model of a question that may continue a session.
//
// Threads: the loop of the request.
#pragma once

#include "chat/questions.hpp"

#include <optional>
#include <string>

namespace parley::api {

// The model that the request names; without one, that of the session; without both, the default.
// Fails with unknown_model and not_found, and as the store does.
inline Task<Result<std::string>> model_for(const chat::Questions& questions, store::Store& store,
                                           const Owner& owner, std::optional<std::string> wanted,
                                           std::optional<std::string> session)
{
    if (!wanted && session) {
        auto found = co_await store.sessions().find_session(owner, std::move(*session));
        if (!found) co_return found.error();
        wanted = std::move(found->model);
    }
    co_return questions.model_for(owner, wanted);
}

}  // namespace parley::api
