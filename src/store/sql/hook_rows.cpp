#include "store/sql/hook_rows.hpp"

#include "fields/write.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/old_secrets.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {
namespace {

struct HookColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<HookVerification> verify{*in, "verify"};
    Column<std::string> secret{*in, "secret"};
    Column<std::string> hint{*in, "secret_hint"};
    Column<TimePoint> created_at{*in, "created_ms"};
};

}  // namespace

std::optional<Hook> hook_of(Connection& connection, std::int64_t automation)
{
    Query select = connection.query(
        "SELECT id, verify, secret, secret_hint, old_secrets, old_secret, old_until_ms, created_ms"
        " FROM hooks WHERE automation = ?1");
    if (!select.bind(automation).next()) return std::nullopt;
    const auto& at = select.columns<HookColumns>();
    return Hook{.id = select[at.id],
                .verify = select[at.verify],
                .secret = select[at.secret],
                .hint = select[at.hint],
                .old = old_secrets_of(select),
                .created_at = select[at.created_at]};
}

void save_hook(Connection& connection, std::int64_t automation, const std::optional<Hook>& hook)
{
    connection.query("DELETE FROM hooks WHERE automation = ?1").bind(automation).run();
    if (!hook) return;
    const auto packed = packed_old_secrets(hook->old);
    std::optional<Blob> old_secrets;
    if (packed) old_secrets = Blob{*packed};
    Query insert = connection.query(
        "INSERT INTO hooks (id, automation, verify, secret, secret_hint, old_secrets, created_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    insert.bind(hook->id, automation, fields::name_of(hook->verify), Blob{hook->secret}, hook->hint,
                old_secrets, hook->created_at);
    insert.run();
}

Result<DueAutomation> automation_with_hook(Connection& connection, const std::string& hook)
{
    std::string automation;
    {
        Query select = connection.query(
            "SELECT automations.id FROM hooks CROSS JOIN automations"
            " ON automations.position = hooks.automation WHERE hooks.id = ?1");
        if (!select.bind(hook).next()) return not_found("The hook");
        automation = select.only<std::string>();
    }
    auto found = find_automation(connection, automation);
    if (!found) return not_found("The hook");
    const auto user = find_user(connection, found->automation.owner.user);
    return DueAutomation{std::move(found->automation), !user || user->disabled};
}

}  // namespace parley::store::sql
