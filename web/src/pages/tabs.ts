import { words } from "../text";

export function settingsTabs(current: string) {
  const t = words();
  return [["", t.account], ["tokens", t.tokens], ["logins", t.logins], ["data", t.data.title], ["limits", t.limits]].map(([part, name]) => (
    { link: part ? `#/settings/${part}` : "#/settings", name: name!, current: part === current }));
}

export function adminTabs(current: string) {
  const t = words();
  return [["users", t.users], ["audit", t.audit], ["status", t.status]].map(([part, name]) => (
    { link: `#/admin/${part}`, name: name!, current: part === current }));
}
