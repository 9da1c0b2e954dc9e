// For operators: the audit log.
import { useEffect, useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { AuditEvent } from "../api/types";
import { formatTime, words } from "../text";
import { Field, textOfField } from "../ui/form";
import { ListFoot } from "./list_parts";
import { useListing } from "./listing";
import { Page } from "./page";
import { adminTabs } from "./tabs";

const NAMES = ["actor", "action", "target"] as const;

// Suggestions only: a newer server may record others.
const ACTIONS = [
  "invitation.accepted", "login", "login.by_recovery_code", "login.ended_by_reuse", "login.refused", "logout", "setup", "token.created",
  "token.limits_changed", "token.renamed", "token.revoked", "totp.disabled", "totp.enabled", "totp.recovery_codes_renewed", "totp.refused",
  "totp.removed", "user.budget_changed", "user.created", "user.demoted", "user.disabled", "user.enabled", "user.invited", "user.limits_changed",
  "user.password_changed", "user.password_reset", "user.password_reset_by_link", "user.promoted", "user.removed", "user.renamed",
  "user.reset_link_created",
];

// Shows the kind and the end of an id; the title of the cell has all of it.
const short = (id: string) => (/^[a-z]+_\w{20,}$/.test(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id);

function filterIn(fields: FormData, idOf: (name: string) => string): calls.AuditFilter {
  const filter: calls.AuditFilter = {};
  for (const name of NAMES) {
    const text = textOfField(fields, name).trim();
    if (text) filter[name] = name === "action" ? text : idOf(text);
  }
  const since = textOfField(fields, "since");
  const before = textOfField(fields, "before");
  if (since) filter.since = new Date(`${since}T00:00:00`).toISOString();
  if (before) filter.before = new Date(new Date(`${before}T00:00:00`).getTime() + 86_400_000).toISOString();
  return filter;
}

// The names of users, because events have only their ids.
function useNames() {
  const [names, setNames] = useState<Map<string, string>>(new Map());
  useEffect(() => {
    calls.users.list(null).then((page) => setNames(new Map(page.data.map((user) => [user.id, user.username]))), () => undefined);
  }, []);
  return {
    nameOf: (id: string | null) => (id && names.get(id)) || id || "",
    idOf: (name: string) => [...names].find(([, each]) => each.toLocaleLowerCase() === name.toLocaleLowerCase())?.[0] ?? name,
  };
}

export function AuditPage() {
  const t = words();
  const { nameOf, idOf } = useNames();
  const [filter, setFilter] = useState<calls.AuditFilter>({});
  const listing = useListing<AuditEvent>((after) => calls.audit(after, filter), JSON.stringify(filter));
  return (
    <Page title={t.audit} lead={t.auditLead} tabs={adminTabs("audit")}>
      <form class="row-form filter" role="search" aria-label={t.audit} onReset={() => setFilter({})}
            onSubmit={(event) => { event.preventDefault(); setFilter(filterIn(new FormData(event.currentTarget), idOf)); }}>
        {NAMES.map((name) => <Field key={name} label={t[name]} name={name} maxLength={200} list={name === "action" ? "actions" : undefined} />)}
        <datalist id="actions">{ACTIONS.map((action) => <option key={action} value={action} />)}</datalist>
        <Field label={t.since} name="since" type="date" />
        <Field label={t.before} name="before" type="date" />
        <div class="buttons"><button class="quiet">{t.apply}</button>{Object.keys(filter).length > 0 && <button type="reset" class="quiet">{t.clear}</button>}</div>
      </form>
      {listing.rows.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label={t.audit}>
          <table class="table stacked">
            <thead><tr><th scope="col">{t.when}</th><th scope="col">{t.actor}</th><th scope="col">{t.action}</th><th scope="col">{t.target}</th><th scope="col">{t.address}</th></tr></thead>
            <tbody>
              {listing.rows.map((event) => (
                <tr key={event.id}>
                  <td class="nowrap">{formatTime(event.at, "short")}</td>
                  <td dir="auto" title={event.actor}>{nameOf(event.actor)}</td>
                  <td><code>{event.action}</code></td>
                  <td dir="auto" title={event.target ?? undefined}>{short(nameOf(event.target))}</td>
                  <td class="nowrap">{event.address}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ListFoot listing={listing} empty={t.noEvents} />
    </Page>
  );
}
