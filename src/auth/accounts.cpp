#include "auth/accounts.hpp"

#include "auth/account_faults.hpp"
#include "auth/names.hpp"
#include "auth/refusal.hpp"
#include "auth/roles.hpp"
#include "base/id.hpp"
#include "base/random.hpp"

namespace parley::auth {
namespace {

constexpr std::chrono::days invitation_life{7};
constexpr std::chrono::hours reset_link_life{24};
constexpr std::size_t code_length = 32;

// One audit event for each kind of change, without the new values.
std::vector<const char*> actions_of(const ChangedUser& change)
{
    std::vector<const char*> actions;
    if (change.disabled) actions.push_back(*change.disabled ? "user.disabled" : "user.enabled");
    if (change.role)
        actions.push_back(*change.role == Role::operator_ ? "user.promoted" : "user.demoted");
    if (change.password) actions.push_back("user.password_reset");
    if (change.display_name) actions.push_back("user.renamed");
    if (!change.limits.empty()) actions.push_back("user.limits_changed");
    if (change.retention_days) actions.push_back("user.retention_changed");
    if (change.output_tokens_per_day) actions.push_back("user.budget_changed");
    return actions;
}

store::Invitation as_stored(const InvitationCode& code)
{
    return {hash_token(code.text.reveal()), code.expires_at};
}

Error invalid_invitation()
{
    return {Errc::invalid_credentials,
            "The invitation was used, has expired or was replaced; ask for a new one."};
}

Error invitation_is_not_enough()
{
    return {Errc::second_factor_required,
            "An invitation is not enough for a user with a second factor; ask for a reset link."};
}

Error invalid_reset_link()
{
    return {Errc::invalid_credentials,
            "The reset link was used, has expired or was replaced; ask for a new one."};
}

}  // namespace

// Reports all faults at once, except the strength of the password, which only the hasher checks.
Task<Result<store::User>> Accounts::prepare(NewUser user)
{
    Faults faults;
    check_username(user.username, faults);
    check_display_name(user.display_name, faults);
    if (user.password) check_password_length(user.password->reveal(), "#/password", faults);
    if (!faults.empty()) co_return validation_failed(std::move(faults));
    const auto name = read_name(user.username);
    const auto display_name = read_display_name(user.display_name);

    std::string hash;
    if (user.password) {
        std::vector<std::string> known_words{name->text, *display_name};
        auto made = co_await hasher_.hash_new(std::move(*user.password), std::move(known_words),
                                              "#/password");
        if (!made) co_return made.error();
        hash = std::move(*made);
    }
    const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(time_.wall().now());
    co_return store::User{.id = new_id("usr", now),
                          .username = name->text,
                          .name_key = name->key,
                          .display_name = display_name->empty() ? name->text : *display_name,
                          .role = user.role,
                          .created_at = now,
                          .password_hash = std::move(hash)};
}

InvitationCode Accounts::new_code(std::chrono::hours life) const
{
    std::string text = random_base62(code_length);
    return {Secret::taken_from(text),
            std::chrono::floor<std::chrono::milliseconds>(time_.now()) + life};
}

Task<Result<MadeUser>> Accounts::add(NewUser user, std::string actor, Origin origin,
                                     std::optional<store::OwnClaim> key)
{
    if (key) {
        auto made = co_await store_.accounts().find_made_user(*key);
        if (!made) co_return made.error();
        if (*made) co_return MadeUser{.user = std::move(**made), .replayed = true};
    }
    std::optional<InvitationCode> invitation;
    if (!user.password) invitation = new_code(invitation_life);
    auto made = co_await prepare(std::move(user));
    if (!made) co_return made.error();
    if (invitation) made->invitation = as_stored(*invitation);
    auto created = event(std::move(actor), "user.created", made->id, origin);
    auto kept = co_await store_.accounts().add_user(*made, std::move(created), std::move(key));
    if (!kept) co_return kept.error();
    if (kept->replayed) co_return MadeUser{.user = std::move(kept->user), .replayed = true};
    co_return MadeUser{.user = std::move(kept->user), .invitation = std::move(invitation)};
}

Task<Result<store::User>> Accounts::add_first_operator(NewUser user, Origin origin)
{
    user.role = Role::operator_;
    auto made = co_await prepare(std::move(user));
    if (!made) co_return made.error();
    auto kept = co_await store_.accounts().add_first_operator(
        *made, event(made->id, "setup", made->id, origin));
    if (!kept) co_return kept.error();
    co_return made;
}

Task<Result<store::User>> Accounts::change(std::string id, ChangedUser change, std::string actor,
                                           Origin origin)
{
    store::UserChange stored{.role = change.role,
                             .disabled = change.disabled,
                             .limits = change.limits,
                             .retention_days = change.retention_days,
                             .output_tokens_per_day = change.output_tokens_per_day};
    std::vector<store::AuditEvent> events;
    for (const char* action : actions_of(change))
        events.push_back(event(actor, action, id, origin));
    if (events.empty()) co_return co_await store_.accounts().find_user(std::move(id));
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
        stored.ends_tokens = !change.keeps_tokens;
    }
    auto changed = co_await store_.accounts().change_user(id, std::move(stored), std::move(events));
    authenticator_.forget_all(id);
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
    std::vector<store::AuditEvent> events{
        event(caller->actor, "user.password_changed", user->id, origin)};
    const auto changed =
        co_await store_.accounts().change_user(user->id,
                                               {.password_hash = std::move(*hash),
                                                .login_to_keep = caller->login,
                                                .expected_hash = user->password_hash},
                                               std::move(events));
    authenticator_.forget_all(user->id);
    if (!changed) co_return changed.error();
    co_return Result<>();
}

Task<Result<MadeUser>> Accounts::invite(std::string id, std::string actor, Origin origin)
{
    InvitationCode invitation = new_code(invitation_life);
    std::vector<store::AuditEvent> events{event(std::move(actor), "user.invited", id, origin)};
    auto user = co_await store_.accounts().change_user(
        std::move(id), {.invitation = as_stored(invitation)}, std::move(events));
    if (!user) co_return user.error();
    co_return MadeUser{.user = std::move(*user), .invitation = std::move(invitation)};
}

Task<Result<store::User>> Accounts::accept(Secret code, Secret password, Origin origin)
{
    const store::CodeHash hash = hash_token(code.reveal());
    const auto user = co_await store_.accounts().find_invited_user(hash, time_.now());
    if (!user) co_return user.error().code == Errc::not_found ? invalid_invitation() : user.error();
    if (user->totp) co_return invitation_is_not_enough();
    std::vector<std::string> known_words{user->username, user->display_name};
    auto password_hash =
        co_await hasher_.hash_new(std::move(password), std::move(known_words), "#/password");
    if (!password_hash) co_return password_hash.error();
    auto accepted = co_await store_.accounts().accept_invitation(
        hash, time_.now(), std::move(*password_hash),
        event(user->id, "invitation.accepted", user->id, origin));
    if (!accepted && accepted.error().code == Errc::conflict) co_return invitation_is_not_enough();
    if (!accepted)
        co_return accepted.error().code == Errc::not_found ? invalid_invitation()
                                                           : accepted.error();
    authenticator_.forget_all(user->id);
    co_return accepted;
}

Task<Result<InvitationCode>> Accounts::make_reset_link(std::string id, std::string actor,
                                                       Origin origin)
{
    InvitationCode code = new_code(reset_link_life);
    std::vector<store::AuditEvent> events{
        event(std::move(actor), "user.reset_link_created", id, origin)};
    const auto user = co_await store_.accounts().change_user(
        std::move(id), {.reset_link = as_stored(code)}, std::move(events));
    if (!user) co_return user.error();
    co_return code;
}

Task<Result<store::User>> Accounts::reset(Secret reset_code, Secret password, std::string code,
                                          Origin origin)
{
    const store::CodeHash hash = hash_token(reset_code.reveal());
    const auto user = co_await store_.accounts().find_user_to_reset(hash, time_.now());
    if (!user) co_return user.error().code == Errc::not_found ? invalid_reset_link() : user.error();
    auto use = co_await factors_.check(*user, std::move(code), origin);
    if (!use) co_return use.error();
    std::vector<std::string> known_words{user->username, user->display_name};
    auto password_hash =
        co_await hasher_.hash_new(std::move(password), std::move(known_words), "#/password");
    if (!password_hash) co_return password_hash.error();
    auto changed = co_await store_.accounts().reset_password(
        hash, time_.now(), std::move(*password_hash), std::move(*use),
        event(user->id, "user.password_reset_by_link", user->id, origin));
    if (!changed)
        co_return changed.error().code == Errc::not_found ? invalid_reset_link() : changed.error();
    authenticator_.forget_all(user->id);
    co_return changed;
}

Task<Result<>> Accounts::remove(std::string id, std::string actor, Origin origin)
{
    auto removal = event(std::move(actor), "user.removed", id, origin);
    auto removed = co_await store_.accounts().remove_user(id, std::move(removal));
    authenticator_.forget_all(id);
    co_return removed;
}

}  // namespace parley::auth
