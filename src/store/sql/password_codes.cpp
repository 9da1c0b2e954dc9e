// One-time codes with which users set a password: invitations and reset links.
#include "store/sql/accounts.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/people.hpp"
#include "store/sql/user_changes.hpp"

namespace parley::store::sql {
namespace {

Result<User> find_invited(Connection& connection, const CodeHash& code, TimePoint now)
{
    Query select = connection.query("SELECT " USER_COLUMNS
                                    " FROM users WHERE invitation = ?1"
                                    " AND invitation_expires_ms > ?2 AND disabled = 0");
    if (!select.bind(code, now).next()) return not_found("The invitation");
    return user_of(select);
}

Result<User> find_to_reset(Connection& connection, const CodeHash& code, TimePoint now)
{
    Query select = connection.query("SELECT " USER_COLUMNS
                                    " FROM users WHERE reset_code = ?1"
                                    " AND reset_expires_ms > ?2 AND disabled = 0");
    if (!select.bind(code, now).next()) return not_found("The reset link");
    return user_of(select);
}

// Sets the password of the user whom `Find` finds by the code, which is used up with that.
template <auto Find>
auto setting_password(CodeHash code, TimePoint now, UserChange wanted,
                      std::optional<AuditEvent> audit)
{
    auto occasion = occasion_of(audit);
    wanted.ends_tokens = true;
    return audited(std::move(audit),
                   [code, now, wanted = std::move(wanted),
                    occasion = std::move(occasion)](Connection& connection) -> Result<User> {
                       connection.lock(Lock::operators, {});
                       const auto user = Find(connection, code, now);
                       if (!user) return user.error();
                       return apply_change(connection, user->id, wanted, occasion);
                   });
}

}  // namespace

Task<Result<User>> SqlAccounts::find_invited_user(CodeHash code, TimePoint now)
{
    return reads_.run<User>(
        [code, now](Connection& connection) { return find_invited(connection, code, now); });
}

Task<Result<User>> SqlAccounts::find_user_to_reset(CodeHash code, TimePoint now)
{
    return reads_.run<User>(
        [code, now](Connection& connection) { return find_to_reset(connection, code, now); });
}

Task<Result<User>> SqlAccounts::accept_invitation(CodeHash code, TimePoint now,
                                                  std::string password_hash,
                                                  std::optional<AuditEvent> audit)
{
    // The user may have got a second factor since the invitation was looked up.
    return writes_.run<User>(setting_password<find_invited>(
        code, now, {.password_hash = std::move(password_hash), .second_factor = SecondFactorUse()},
        std::move(audit)));
}

Task<Result<User>> SqlAccounts::reset_password(CodeHash code, TimePoint now,
                                               std::string password_hash,
                                               std::optional<SecondFactorUse> second_factor,
                                               std::optional<AuditEvent> audit)
{
    return writes_.run<User>(setting_password<find_to_reset>(
        code, now,
        {.password_hash = std::move(password_hash), .second_factor = std::move(second_factor)},
        std::move(audit)));
}

}  // namespace parley::store::sql
