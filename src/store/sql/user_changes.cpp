#include "store/sql/user_changes.hpp"

#include "fields/write.hpp"
#include "store/login_rules.hpp"
#include "store/sql/end_tokens.hpp"
#include "store/sql/people.hpp"
#include "store/sql/second_factors.hpp"

namespace parley::store::sql {
namespace {

std::optional<Blob> blob_of(const std::string& bytes)
{
    if (bytes.empty()) return std::nullopt;
    return Blob{bytes};
}

std::size_t update(Connection& connection, const std::string& id, const UserChange& change)
{
    auto user = find_user(connection, id);
    if (!user) return 0;
    apply(*user, change);
    Query update = connection.query(
        "UPDATE users SET display_name = ?2, role = ?3, disabled = ?4, password_hash = ?5,"
        " chat_limit = ?6, general_limit = ?7, invitation = ?8, invitation_expires_ms = ?9,"
        " automation_limit = ?10, retention_days = ?11, reset_code = ?12, reset_expires_ms = ?13,"
        " totp_secret = ?14, totp_pending = ?15, totp_step = ?16, totp_failures = ?17,"
        " totp_failed_ms = ?18, output_tokens_per_day = ?19 WHERE id = ?1");
    const auto code = code_of(user->invitation);
    const auto reset_code = code_of(user->reset_link);
    const Totp totp = user->totp.value_or(Totp());
    update.bind(id, user->display_name, fields::name_of(user->role), user->disabled,
                user->password_hash, user->limits.chat, user->limits.general, code,
                expiry_of(user->invitation), user->limits.automation, user->retention_days,
                reset_code, expiry_of(user->reset_link), blob_of(totp.secret),
                blob_of(user->totp_pending), totp.last_step, totp.failures, totp.failed_at,
                user->output_tokens_per_day);
    return update.run();
}

Result<> check_expectations(Connection& connection, const std::string& id, const UserChange& wanted)
{
    if (!wanted.expected_hash && !wanted.confirmed_totp && !wanted.second_factor) return {};
    const auto user = find_user(connection, id);
    if (!user) return not_found("The user");
    if (wanted.expected_hash && user->password_hash != *wanted.expected_hash)
        return password_was_changed();
    if (wanted.confirmed_totp &&
        (user->totp || user->totp_pending != wanted.confirmed_totp->pending))
        return second_factor_was_changed();
    if (wanted.second_factor) return use_second_factor(connection, *user, *wanted.second_factor);
    return {};
}

}  // namespace

bool is_there_an_operator(Connection& connection)
{
    Query select = connection.query(
        "SELECT 1 FROM users WHERE role = 'operator' AND disabled = 0"
        " AND password_hash <> '' LIMIT 1");
    return select.next();
}

std::optional<CodeHash> code_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return invitation->code;
}

std::optional<TimePoint> expiry_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return invitation->expires_at;
}

Result<User> apply_change(Connection& connection, const std::string& id, const UserChange& wanted,
                          const std::optional<Occasion>& occasion)
{
    connection.lock(Lock::operators, {});
    connection.lock(Lock::user, {id});
    if (auto allowed = check_expectations(connection, id, wanted); !allowed) return allowed.error();
    const auto changed =
        but_for_the_last_operator(connection, [&] { return update(connection, id, wanted); });
    if (!changed) return changed.error();
    replace_recovery_codes(connection, id, wanted);
    end_tokens(connection, id, wanted, occasion);
    connection.notify_replicas(Notice::rights, id);
    auto user = find_user(connection, id);
    if (!user) return not_found("The user");
    return std::move(*user);
}

}  // namespace parley::store::sql
