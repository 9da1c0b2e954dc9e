// Settings, administration, shortcuts and automations. They are loaded when they are first opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../text";
import type { Route } from "../ui/route";

type Loaded = ComponentType<{ route: Route }>;
type Part = "automations" | "others";

const loaded: Partial<Record<Part, Loaded>> = {};

async function load(part: Part): Promise<void> {
  loaded[part] = part === "automations" ? (await import("../automations/pages")).AutomationPages : (await import("./all")).AllPages;
}

export function Pages({ route }: { route: Route }) {
  const [, redraw] = useState({});
  const part = route.page === "automations" ? "automations" : "others";
  useEffect(() => {
    if (!loaded[part]) void load(part).then(() => redraw({}));
  }, [part]);
  const Shown = loaded[part];
  return Shown ? <Shown route={route} /> : <p class="column padded">{words().loading}</p>;
}
