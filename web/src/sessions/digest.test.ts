import { expect, it } from "vitest";
import type { Session } from "../api/types";
import { digest } from "./digest";

let number = 0;
const session = (type: string, id: string) => ({ at: ++number, type: `chat.session.${type}`, time: `t${number}`, id, session: null });
const run = (type: string, id: string, of: string) => ({ at: ++number, type: `chat.run.${type}`, time: `t${number}`, id, session: of });
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
  const [first] = digest([run("paused", "r1", "a"), { at: 1, type: "automation.created", time: "t", id: "x", session: null }]).values();
  expect(first!.of(known)).toBe(known);
});
