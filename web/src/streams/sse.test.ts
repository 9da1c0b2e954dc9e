import { describe, expect, it } from "vitest";
import { EventParser } from "./sse";

const STREAM = 'retry: 1000\nid: 1\nevent: run.created\ndata: {"a":1}\n\n: ping\n\nid: 2\r\nevent: message.delta\r\ndata: one\r\ndata: two\r\n\r\n';
const EVENTS = [
  { id: "1", type: "run.created", data: '{"a":1}' },
  { id: "2", type: "message.delta", data: "one\ntwo" },
];

describe("EventParser", () => {
  it("reads a stream that comes whole", () => {
    expect(new EventParser().push(STREAM)).toEqual(EVENTS);
  });

  it("reads it the same wherever the network has cut it", () => {
    for (let cut = 1; cut < STREAM.length; cut++) {
      const parser = new EventParser();
      expect([...parser.push(STREAM.slice(0, cut)), ...parser.push(STREAM.slice(cut))], `cut at ${cut}`).toEqual(EVENTS);
    }
    const parser = new EventParser();
    expect([...STREAM].flatMap((character) => parser.push(character))).toEqual(EVENTS);
  });

  it("takes an event only when it is whole", () => {
    const parser = new EventParser();
    expect(parser.push("id: 7\ndata: x\n")).toEqual([]);
    expect(parser.push("\n")).toEqual([{ id: "7", type: "message", data: "x" }]);
  });
});
