// The pages of webhooks and of the event log, loaded together when the first of them is opened.
import { EventsPage } from "../events/events_page";
import type { Route } from "../ui/route";
import { EditPage, NewPage } from "./form_page";
import { ListPage } from "./list_page";
import { WebhookPage } from "./webhook_page";

export function WebhookPages({ route }: { route: Route }) {
  if (route.page === "events") return <EventsPage />;
  if (route.page !== "webhooks") return null;
  if (route.id) return route.part === "edit" ? <EditPage key={route.id} id={route.id} /> : <WebhookPage key={route.id} id={route.id} />;
  return route.part === "new" ? <NewPage /> : <ListPage />;
}
