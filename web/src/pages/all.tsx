// The pages beside the chat, loaded together when the first of them is opened.
import { isOperator } from "../auth/login";
import { DataPage } from "../moving/data_page";
import { SearchPage } from "../search/search_page";
import type { Route } from "../ui/route";
import { AuditPage } from "./audit";
import { AccountPage, LimitsPage } from "./settings";
import { ShortcutsPage } from "./shortcuts";
import { StatusPage } from "./status";
import { TokensPage } from "./tokens";
import { UsersPage } from "./users";

function Settings({ part }: { part: string }) {
  if (part === "tokens" || part === "logins") return <TokensPage key={part} logins={part === "logins"} />;
  if (part === "data") return <DataPage />;
  return part === "limits" ? <LimitsPage /> : <AccountPage />;
}

function Admin({ part }: { part: string }) {
  if (!isOperator()) return <AccountPage />;
  if (part === "audit") return <AuditPage />;
  return part === "status" ? <StatusPage /> : <UsersPage />;
}

export function AllPages({ route }: { route: Route }) {
  if (route.page === "settings") return <Settings part={route.part} />;
  if (route.page === "search") return <SearchPage text={route.text} />;
  if (route.page === "admin") return <Admin part={route.part} />;
  return <ShortcutsPage />;
}
