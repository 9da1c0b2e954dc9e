import { words } from "../text";

// Of all pages about automation.
export function automationTabs(current: "list" | "runs" | "webhooks" | "events" | null) {
  const t = words().automations;
  const w = words().webhooks;
  return [
    { link: "#/automations", name: t.title, current: current === "list" },
    { link: "#/automations/runs", name: t.allRuns, current: current === "runs" },
    { link: "#/webhooks", name: w.title, current: current === "webhooks" },
    { link: "#/events", name: w.log, current: current === "events" },
  ];
}
