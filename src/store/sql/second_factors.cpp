#include "store/sql/second_factors.hpp"

#include "store/refusals.hpp"
#include "store/sql/accounts.hpp"
#include "store/sql/audit.hpp"

namespace parley::store::sql {
namespace {

bool use_step(Connection& connection, const std::string& user, std::int64_t step)
{
    Query update = connection.query(
        "UPDATE users SET totp_step = ?2, totp_failures = 0, totp_failed_ms = NULL"
        " WHERE id = ?1 AND totp_step < ?2");
    return update.bind(user, step).run() > 0;
}

bool use_recovery_code(Connection& connection, const std::string& user, const CodeHash& code)
{
    Query remove =
        connection.query("DELETE FROM recovery_codes WHERE recovery_codes.user = ?1 AND code = ?2");
    if (remove.bind(user, code).run() == 0) return false;
    Query update =
        connection.query("UPDATE users SET totp_failures = 0, totp_failed_ms = NULL WHERE id = ?1");
    update.bind(user).run();
    return true;
}

}  // namespace

Result<> use_second_factor(Connection& connection, const User& user, const SecondFactorUse& use)
{
    const std::string secret = user.totp ? user.totp->secret : std::string();
    if (secret != use.secret) return second_factor_was_changed();
    if (use.step && !use_step(connection, user.id, *use.step)) return second_factor_was_changed();
    if (use.recovery_code && !use_recovery_code(connection, user.id, *use.recovery_code))
        return second_factor_was_changed();
    return {};
}

void replace_recovery_codes(Connection& connection, const std::string& user,
                            const UserChange& wanted)
{
    if (!wanted.recovery_codes && !wanted.removes_totp) return;
    Query remove = connection.query("DELETE FROM recovery_codes WHERE recovery_codes.user = ?1");
    remove.bind(user).run();
    if (!wanted.recovery_codes) return;
    for (const CodeHash& code : *wanted.recovery_codes) {
        Query insert =
            connection.query("INSERT INTO recovery_codes (\"user\", code) VALUES (?1, ?2)");
        insert.bind(user, code).run();
    }
}

Task<Result<std::int64_t>> SqlAccounts::count_recovery_codes(std::string id)
{
    return reads_.run<std::int64_t>([id = std::move(id)](
                                        Connection& connection) -> Result<std::int64_t> {
        Query count =
            connection.query("SELECT count(*) FROM recovery_codes WHERE recovery_codes.user = ?1");
        count.bind(id).next();
        return count.only<std::int64_t>();
    });
}

Task<Result<bool>> SqlAccounts::has_recovery_code(std::string id, CodeHash code)
{
    return reads_.run<bool>([id = std::move(id), code](Connection& connection) -> Result<bool> {
        Query select = connection.query(
            "SELECT 1 FROM recovery_codes WHERE recovery_codes.user = ?1 AND code = ?2");
        return select.bind(id, code).next();
    });
}

Task<Result<>> SqlAccounts::note_wrong_code(std::string id, TimePoint now,
                                            std::optional<AuditEvent> audit)
{
    return writes_.run<void>(
        audited(std::move(audit), [id = std::move(id), now](Connection& connection) -> Result<> {
            connection.lock(Lock::user, {id});
            Query update = connection.query(
                "UPDATE users SET totp_failures = totp_failures + 1, totp_failed_ms = ?2"
                " WHERE id = ?1 AND totp_secret IS NOT NULL");
            update.bind(id, now).run();
            return {};
        }));
}

}  // namespace parley::store::sql
