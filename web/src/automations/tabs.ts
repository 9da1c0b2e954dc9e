import { words } from "../text";

export function automationTabs(current: "list" | "runs" | null) {
  const t = words().automations;
  return [
    { link: "#/automations", name: t.title, current: current === "list" },
    { link: "#/automations/runs", name: t.allRuns, current: current === "runs" },
  ];
}
