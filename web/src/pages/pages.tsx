// Settings, administration, shortcuts, automations, webhooks and events. They are loaded when they are first opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../text";
import type { Route } from "../ui/route";

type Loaded = ComponentType<{ route: Route }>;
type Part = "automations" | "webhooks" | "others";

const loaded: Partial<Record<Part, Loaded>> = {};

const sources: Record<Part, () => Promise<Loaded>> = {
  automations: async () => (await import("../automations/pages")).AutomationPages,
  webhooks: async () => (await import("../webhooks/pages")).WebhookPages,
  others: async () => (await import("./all")).AllPages,
};

const partOf = ({ page }: Route): Part => (page === "automations" ? page : page === "webhooks" || page === "events" ? "webhooks" : "others");

async function load(part: Part): Promise<void> {
  loaded[part] = await sources[part]();
}

export function Pages({ route }: { route: Route }) {
  const [, redraw] = useState({});
  const part = partOf(route);
  useEffect(() => {
    if (!loaded[part]) void load(part).then(() => redraw({}));
  }, [part]);
  const Shown = loaded[part];
  return Shown ? <Shown route={route} /> : <p class="column padded">{words().loading}</p>;
}
