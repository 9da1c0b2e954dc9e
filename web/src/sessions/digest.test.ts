import { expect, it } from "vitest";
import type { Session } from "../api/types";
import type { LogEvent } from "../streams/log";
import { automationNews, digest } from "./digest";

let number = 0;
const event = (type: string, id: string, more: Partial<LogEvent> = {}): LogEvent =>
  ({ at: ++number, type, time: `t${number}`, id, session: null, automation: null, automationRun: null, cause: null, ...more });
const session = (type: string, id: string) => event(`chat.session.${type}`, id);
const run = (type: string, id: string, of: string) => event(`chat.run.${type}`, id, { session: of });
const known = { id: "a", active_run_ids: ["r1"], last_message_at: "t0" } as Session;

it("tells of each session what has become of it", () => {
  const changes = digest([session("created", "a"), run("created", "r2", "a"), session("created", "b"), session("deleted", "b"), run("completed", "r1", "a")]);
  expect([...changes.keys()]).toEqual(["a", "b"]);
  expect(changes.get("b")!.deleted).toBe(true);
  const a = changes.get("a")!;
  expect(a.ended).toEqual(["r1"]);
  expect(a.of(known).active_run_ids).toEqual(["r2"]);
});

it("leaves a session alone of which nothing is new", () => {
  const change = digest([session("updated", "a")]).get("a")!;
  expect(change.of(known)).toBe(known);
});

it("forgets a run that has begun and ended", () => {
  const change = digest([run("created", "r3", "a"), run("failed", "r3", "a")]).get("a")!;
  expect(change.of(known).active_run_ids).toEqual(["r1"]);
});

it("ignores what it does not know", () => {
  const [first] = digest([run("paused", "r1", "a"), event("automation.created", "x", { session: "b" })]).values();
  expect(first!.of(known)).toBe(known);
});

it("tells which automations and runs have changed", () => {
  const news = automationNews([
    event("automation.created", "aut_1", { automation: "aut_1" }),
    event("automation.run.queued", "aru_1", { automation: "aut_2", automationRun: "aru_1" }),
    event("chat.run.created", "run_1", { session: "a", automation: "aut_3", automationRun: "aru_2" }),
    event("automation.updated", "aut_4", { automation: "aut_4" }),
    event("automation.deleted", "aut_4", { automation: "aut_4" }),
  ]);
  expect(news).toEqual({ changed: ["aut_1", "aut_2"], deleted: ["aut_4"], runs: ["aru_1", "aru_2"], webhooks: [] });
});

it("has no news of automations in other events", () => {
  expect(automationNews([session("created", "a"), run("created", "r1", "a")])).toBeUndefined();
});

it("knows which webhooks have changed", () => {
  const caused = { automation: "aut_1", automationRun: "aru_1" };
  const news = automationNews([event("webhook.created", "whk_1"), event("webhook.updated", "whk_2", caused), event("webhook.updated", "whk_3"), event("webhook.deleted", "whk_3")]);
  expect(news).toEqual({ changed: [], deleted: ["whk_3"], runs: [], webhooks: ["whk_1", "whk_2"] });
});
