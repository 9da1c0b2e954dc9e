import { expect, it } from "vitest";
import { LoggedOut, Problem } from "../api/problem";
import { LogFollowing, logEventOf, type LogEvent } from "./log";

const frame = (at: number) =>
  `id: ${at}\nevent: chat.session.created\ndata: ${JSON.stringify({ sequence_number: at, type: "chat.session.created", timestamp: "t", data: { id: `ses_${at}` } })}\n\n`;
const stream = (...pieces: string[]) => new Response(pieces.join(""));
const refused = (status: number, more: object = {}) =>
  new Problem({ title: "", detail: "", status, code: "", request_id: "", ...more });

// Answers one connection after the other; then the user is logged out.
async function follow(answers: (Response | Error)[], from: number | null = null) {
  const asked: string[] = [];
  const told: string[] = [];
  const world = {
    open(after: string) {
      asked.push(after);
      const answer = answers.shift() ?? new LoggedOut();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    wait: () => Promise.resolve(),
  };
  await new LogFollowing(from, world, {
    opened: (fresh) => told.push(fresh ? "fresh" : "open"),
    closed: () => undefined,
    events: (events: LogEvent[]) => told.push(events.map(({ id }) => id).join()),
    missed: () => told.push("missed"),
  }).go(new AbortController().signal);
  return { asked, told };
}

it("begins with the next event, and goes on after the last one", async () => {
  const { asked, told } = await follow([stream("retry: 1000\n", frame(7), frame(9)), stream(frame(9), frame(10))]);
  expect(asked).toEqual(["latest", "9", "10"]);
  expect(told).toEqual(["fresh", "ses_7,ses_9", "open", "ses_10"]);
});

it("says that it begins anew if it does not know where it was", async () => {
  expect((await follow([stream(": ping\n\n"), stream()])).told).toEqual(["fresh", "fresh"]);
});

it("goes on from where another tab was", async () => {
  expect((await follow([stream(frame(5))], 4)).asked).toEqual(["4", "5"]);
});

it("goes on with the newest event if those in between are no longer stored", async () => {
  const { asked, told } = await follow([refused(410, { latest: 90 }), stream(frame(91))], 4);
  expect(asked).toEqual(["4", "90", "91"]);
  expect(told).toEqual(["missed", "open", "ses_91"]);
});

it("begins anew if the log has become shorter", async () => {
  expect((await follow([refused(400), stream()], 40)).asked).toEqual(["40", "latest", "latest"]);
});

it("knows the automation that an event is about, or that has caused it", () => {
  const read = (type: string, data: object, cause: object) =>
    logEventOf({ id: "1", type, data: JSON.stringify({ sequence_number: 1, type, timestamp: "t", data, cause }) });
  const none = { automation_id: null, automation_run_id: null };
  expect(read("automation.paused", { id: "aut_1" }, none)).toMatchObject({ automation: "aut_1", automationRun: null });
  expect(read("automation.run.failed", { id: "aru_1", automation_id: "aut_1" }, none)).toMatchObject({ automation: "aut_1", automationRun: "aru_1" });
  expect(read("chat.run.created", { id: "run_1", session_id: "ses_1" }, { automation_id: "aut_1", automation_run_id: "aru_1" }))
    .toMatchObject({ automation: "aut_1", automationRun: "aru_1", session: "ses_1", cause: "aut_1" });
  expect(read("chat.run.created", { id: "run_1" }, none)).toMatchObject({ automation: null, automationRun: null });
});
