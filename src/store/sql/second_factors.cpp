#include "store/sql/second_factors.hpp"

#include "store/refusals.hpp"
#include "store/sql/accounts.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/people.hpp"

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

bool has_recovery_code(Connection& connection, const std::string& user, const CodeHash& code)
{
    Query select = connection.query(
        "SELECT 1 FROM recovery_codes WHERE recovery_codes.user = ?1 AND code = ?2");
    return select.bind(user, code).next();
}

void count_wrong_code(Connection& connection, const std::string& user, TimePoint now)
{
    Query update = connection.query(
        "UPDATE users SET totp_failures = totp_failures + 1, totp_failed_ms = ?2 WHERE id = ?1");
    update.bind(user, now).run();
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

Task<Result<std::optional<SecondFactorUse>>> SqlAccounts::try_code(std::string id,
                                                                   CodeHash recovery_code,
                                                                   JudgeCode judge, TimePoint now,
                                                                   AuditEvent refused)
{
    using Used = std::optional<SecondFactorUse>;
    return writes_.run<Used>(
        [id = std::move(id), recovery_code, judge = std::move(judge), now,
         refused = std::optional(std::move(refused))](Connection& connection) -> Result<Used> {
            connection.lock(Lock::user, {id});
            const auto user = sql::find_user(connection, id);
            if (!user) return not_found("The user");
            auto verdict = judge(user->totp, has_recovery_code(connection, id, recovery_code));
            if (!verdict) return verdict.error();
            if (verdict->use) return std::move(verdict->use);
            if (verdict->counts) count_wrong_code(connection, id, now);
            if (auto noted = note(connection, refused); !noted) return noted.error();
            return Used();
        });
}

}  // namespace parley::store::sql
