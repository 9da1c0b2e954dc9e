#include "chat/sessions.hpp"

#include "base/id.hpp"
#include "chat/titles.hpp"

namespace parley::chat {
namespace {

// A model stops with its next token; the wait ends after this time in any case.
constexpr std::chrono::seconds patience_with_cancelled{3};

}  // namespace

Task<Result<store::Sessions::Created>> Sessions::create(Owner owner, New session)
{
    if (session.model)
        if (auto model = questions_.model_for(owner, session.model); !model)
            co_return model.error();
    const TimePoint now = clock_.now();
    store::Session made{.id = new_id("ses", now),
                        .owner = owner,
                        .title = session.title.value_or(""),
                        .title_key = title_key(session.title.value_or("")),
                        .title_was_set = session.title.has_value(),
                        .instructions = std::move(session.instructions),
                        .model = std::move(session.model),
                        .metadata = std::move(session.metadata),
                        .created_at = now,
                        .updated_at = now};
    co_return co_await store_.sessions().create_session(std::move(made), std::move(session.key),
                                                        std::move(session.cause));
}

Task<Result<store::Session>> Sessions::change(Owner owner, std::string id,
                                              store::SessionChange change,
                                              std::optional<std::int64_t> expected)
{
    if (change.model && *change.model)
        if (auto model = questions_.model_for(owner, *change.model); !model)
            co_return model.error();
    if (change.title) change.title_key = title_key(*change.title);
    change.now = clock_.now();
    co_return co_await store_.sessions().change_session(std::move(owner), std::move(id),
                                                        std::move(change), expected);
}

Task<Result<>> Sessions::remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                                Cause cause)
{
    // Removes the session first: this checks owner and revision in one step. A run without its
    // session ends like any other.
    auto removed = co_await store_.sessions().remove_session(
        owner, id, {.expected = expected, .now = clock_.now(), .cause = std::move(cause)});
    if (!removed) co_return removed;
    co_await forget(owner.user, id, runs_.cancel_in(id));
    co_return removed;
}

Task<Result<>> Sessions::remove_run(Owner owner, std::string run, Cause cause)
{
    auto removed =
        co_await store_.runs().remove_run(owner, std::move(run), clock_.now(), std::move(cause));
    if (!removed) co_return removed.error();
    co_await forget(owner.user, removed->session, runs_.cancel_these(removed->active));
    co_return Result<>();
}

Task<> Sessions::forget(std::string user, std::string session, std::vector<RunHandle> cancelled)
{
    for (const RunHandle& run : cancelled) co_await run.wait_for_end(patience_with_cancelled);
    const std::string key = engine::session_key(user, session);
    for (const auto& [name, model] : models_.all()) model->forget(key);
}

Task<> Sessions::forget_deleted(std::string user, std::string session)
{
    auto cancelled = runs_.cancel_in(session);
    co_await forget(std::move(user), std::move(session), std::move(cancelled));
}

Task<> Sessions::forget_deleted(std::string user, std::string session,
                                std::vector<std::string> runs)
{
    co_await forget(std::move(user), std::move(session), runs_.cancel_these(runs));
}

Task<> Sessions::forget_user(std::string user)
{
    // A model that is still writing would cache the conversation when it stops.
    const auto deadline = std::chrono::steady_clock::now() + patience_with_cancelled;
    for (const RunHandle& run : runs_.cancel_of(user)) {
        const auto remaining = deadline - std::chrono::steady_clock::now();
        co_await run.wait_for_end(std::chrono::ceil<std::chrono::milliseconds>(remaining));
    }
    for (const auto& [name, model] : models_.all()) model->forget(user);
}

}  // namespace parley::chat
