#include "auth/identities.hpp"

#include "auth/names.hpp"
#include "base/id.hpp"
#include "base/log.hpp"
#include "base/random.hpp"

namespace parley::auth {
namespace {

// The actor of changes that follow from what the provider says.
constexpr const char* provider_actor = "oidc";

constexpr int most_tries = 12;
constexpr int numbered_tries = 5;  // ana, ana-2, … ana-5; then a random ending.

std::string ending_of(int attempt)
{
    if (attempt == 0) return {};
    if (attempt < numbered_tries) return "-" + std::to_string(attempt + 1);
    return "-" + random_base62(8);
}

// The first wanted name that is valid with this ending.
UserName name_for(const IdentifiedPerson& person, int attempt)
{
    const std::string ending = ending_of(attempt);
    for (const std::string& wanted : person.names)
        if (auto name = read_name(wanted + ending); name && !wanted.empty()) return *name;
    return read_name("user" + ending).value();
}

std::string display_name_for(const IdentifiedPerson& person, const UserName& name)
{
    const auto display_name = read_display_name(person.display_name);
    return display_name && !display_name->empty() ? *display_name : name.text;
}

}  // namespace

Task<Result<>> Identities::use_attempt(store::CodeHash attempt, TimePoint expires_at)
{
    auto used = co_await store_.identities().use_attempt(attempt, expires_at, time_.now());
    if (!used && used.error().code == Errc::conflict)
        co_return Error{Errc::invalid_credentials,
                        "This attempt to log in was used before; begin again."};
    co_return used;
}

Task<Result<store::User>> Identities::find_or_add(IdentifiedPerson person, Origin origin)
{
    // Each conflict is a name that is taken, or the same person in another tab.
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        auto known = co_await store_.identities().find_user(person.identity);
        if (known || known.error().code != Errc::not_found) co_return known;
        const UserName name = name_for(person, attempt);
        const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(time_.wall().now());
        const store::User user{.id = new_id("usr", now),
                               .username = name.text,
                               .name_key = name.key,
                               .display_name = display_name_for(person, name),
                               .role = person.role.value_or(Role::member),
                               .created_at = now};
        const auto added = co_await store_.identities().add_user(
            user, person.identity,
            audit_event(time_.wall(), provider_actor, "user.created", user.id, origin));
        if (added) co_return user;
        if (added.error().code != Errc::conflict) co_return added.error();
    }
    co_return Error{Errc::conflict, "No user name is free for this person; ask an operator."};
}

Task<Result<store::User>> Identities::change_role(store::User user, Role role, Origin origin)
{
    const char* action = role == Role::operator_ ? "user.promoted" : "user.demoted";
    std::vector<store::AuditEvent> events{
        audit_event(time_.wall(), provider_actor, action, user.id, origin)};
    auto changed =
        co_await store_.accounts().change_user(user.id, {.role = role}, std::move(events));
    authenticator_.forget_all(user.id);
    if (changed || changed.error().code != Errc::conflict) co_return changed;
    log::warn("the provider's groups would demote the last operator; the role stays",
              log::kv("user", user.id), log::kv("request_id", origin.request_id));
    co_return user;
}

Task<Result<LoggedIn>> Identities::log_in(IdentifiedPerson person, std::string label, Origin origin)
{
    const auto role = person.role;
    auto user = co_await find_or_add(std::move(person), origin);
    if (!user) co_return user.error();
    if (user->disabled) {
        co_await note_refusal(user->id, origin);
        co_return Error{Errc::invalid_credentials, "This account is disabled; ask an operator."};
    }
    if (role && user->role != *role) user = co_await change_role(std::move(*user), *role, origin);
    if (!user) co_return user.error();
    co_return co_await logins_.begin_identified(std::move(*user), std::move(label),
                                                std::move(origin));
}

Task<void> Identities::note_refusal(std::string target, Origin origin)
{
    if (target.empty()) target = "unknown user";
    const auto noted = co_await store_.audit().append(
        audit_event(time_.wall(), "anonymous", "login.by_oidc_refused", std::move(target), origin));
    if (!noted)
        log::warn("cannot write a refused login to the audit log",
                  log::kv("request_id", origin.request_id));
}

}  // namespace parley::auth
