#include "auth/accounts.hpp"

#include "auth/names.hpp"
#include "auth/roles.hpp"
#include "base/id.hpp"

namespace parley::auth {
namespace {

// All that was changed, without what it was changed to: "user.enabled, user.password_reset".
std::string actions_of(const ChangedUser& change)
{
    std::string actions;
    const auto add = [&actions](const char* action) {
        actions.append(actions.empty() ? "" : ", ").append(action);
    };
    if (change.disabled) add(*change.disabled ? "user.disabled" : "user.enabled");
    if (change.role) add(*change.role == Role::operator_ ? "user.promoted" : "user.demoted");
    if (change.password) add("user.password_reset");
    if (change.display_name) add("user.renamed");
    return actions;
}

}  // namespace

// All that can be said against a new user is said at once, but for the password's strength, which
// takes a hash to find out.
Task<Result<store::User>> Accounts::prepare(NewUser user)
{
    const auto name = read_name(user.username);
    const auto display_name = read_display_name(user.display_name);
    Faults faults;
    if (!name) faults.push_back({"#/username", name.error().code, name.error().detail});
    if (!display_name)
        faults.push_back(
            {"#/display_name", display_name.error().code, display_name.error().detail});
    if (!faults.empty()) co_return validation_failed(std::move(faults));

    std::vector<std::string> known_words{name->text, *display_name};
    auto hash =
        co_await hasher_.hash_new(std::move(user.password), std::move(known_words), "#/password");
    if (!hash) co_return hash.error();
    const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(clock_.now());
    co_return store::User{.id = new_id("usr", now),
                          .username = name->text,
                          .name_key = name->key,
                          .display_name = display_name->empty() ? name->text : *display_name,
                          .role = user.role,
                          .created_at = now,
                          .password_hash = std::move(*hash)};
}

Task<Result<store::User>> Accounts::add(NewUser user, std::string actor, Origin origin)
{
    auto made = co_await prepare(std::move(user));
    if (!made) co_return made.error();
    auto kept = co_await store_.accounts().add_user(
        *made, audit_event(clock_, std::move(actor), "user.created", made->id, origin));
    if (!kept) co_return kept.error();
    co_return made;
}

Task<Result<store::User>> Accounts::add_first_operator(NewUser user, Origin origin)
{
    user.role = Role::operator_;
    auto made = co_await prepare(std::move(user));
    if (!made) co_return made.error();
    auto kept = co_await store_.accounts().add_first_operator(
        *made, audit_event(clock_, made->id, "setup", made->id, origin));
    if (!kept) co_return kept.error();
    co_return made;
}

Task<Result<store::User>> Accounts::change(std::string id, ChangedUser change, std::string actor,
                                           Origin origin)
{
    store::UserChange stored{.role = change.role, .disabled = change.disabled};
    auto event = audit_event(clock_, std::move(actor), actions_of(change), id, origin);
    if (event.action.empty()) co_return co_await store_.accounts().find_user(std::move(id));
    if (change.display_name) {
        auto display_name = read_display_name(*change.display_name);
        if (!display_name) co_return refused(display_name.error(), "#/display_name");
        stored.display_name = std::move(*display_name);
    }
    if (change.password) {
        const auto user = co_await store_.accounts().find_user(id);
        if (!user) co_return user.error();
        std::vector<std::string> known_words{user->username, user->display_name};
        auto hash = co_await hasher_.hash_new(std::move(*change.password), std::move(known_words),
                                              "#/password");
        if (!hash) co_return hash.error();
        stored.password_hash = std::move(*hash);
    }
    auto changed = co_await store_.accounts().change_user(id, std::move(stored), std::move(event));
    gate_.forget_all(id);
    co_return changed;
}

Task<Result<>> Accounts::change_password(CallerRef caller, Secret current, Secret next,
                                         Origin origin)
{
    const auto user = co_await store_.accounts().find_user(caller->user);
    if (!user) co_return user.error();
    const auto verdict = co_await hasher_.verify(user->password_hash, std::move(current));
    if (!verdict) co_return verdict.error();
    if (*verdict == Verdict::wrong)
        co_return refused({"wrong", "is not the current password"}, "#/current_password");
    std::vector<std::string> known_words{user->username, user->display_name};
    auto hash =
        co_await hasher_.hash_new(std::move(next), std::move(known_words), "#/new_password");
    if (!hash) co_return hash.error();
    const auto changed = co_await store_.accounts().change_user(
        user->id, {.password_hash = std::move(*hash), .login_to_keep = caller->login},
        audit_event(clock_, caller->actor, "user.password_changed", user->id, origin));
    gate_.forget_all(user->id);
    if (!changed) co_return changed.error();
    co_return Result<>();
}

Task<Result<>> Accounts::remove(std::string id, std::string actor, Origin origin)
{
    auto event = audit_event(clock_, std::move(actor), "user.removed", id, origin);
    auto removed = co_await store_.accounts().remove_user(id, std::move(event));
    gate_.forget_all(id);
    co_return removed;
}

}  // namespace parley::auth
