// The pages of automations, loaded together when the first of them is opened.
import type { Route } from "../ui/route";
import { AutomationPage } from "./automation_page";
import { EditPage, NewPage } from "./form_page";
import { ListPage } from "./list_page";
import { RunsPage } from "./runs_page";

export function AutomationPages({ route }: { route: Route }) {
  if (route.page !== "automations") return null;
  if (route.id) return route.part === "edit" ? <EditPage key={route.id} id={route.id} /> : <AutomationPage key={route.id} id={route.id} />;
  if (route.part === "new") return <NewPage />;
  return route.part === "runs" ? <RunsPage /> : <ListPage />;
}
