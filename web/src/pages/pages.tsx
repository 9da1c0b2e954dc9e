// Settings, administration and shortcuts. They are loaded when they are first opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../text";
import type { Route } from "../ui/route";

let loaded: ComponentType<{ route: Route }> | undefined;

export function Pages({ route }: { route: Route }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!loaded) void import("./all").then(({ AllPages }) => { loaded = AllPages; redraw(1); });
  }, []);
  const Loaded = loaded;
  return Loaded ? <Loaded route={route} /> : <p class="column padded">{words().loading}</p>;
}
