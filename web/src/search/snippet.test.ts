import { describe, expect, it } from "vitest";
import { partsOf } from "./snippet";

const shown = (snippet: string, marks: number[][]) => partsOf(snippet, marks).map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");

describe("snippets", () => {
  it("are marked by bytes", () => {
    expect(shown("red umbrella", [[4, 12]])).toBe("red [umbrella]");
    expect(shown("heißer Café 東京", [[0, 7], [8, 13], [14, 20]])).toBe("[heißer] [Café] [東京]");
    expect(shown("🙂", [[0, 4]])).toBe("[🙂]");
    expect(shown("nothing", [])).toBe("nothing");
    expect(partsOf("", [])).toEqual([]);
  });

  it("are shown whole whatever the marks are", () =>
    expect(shown("abc", [[2, 1], [0, 1], [0, 1], [1, 99], []])).toBe("[a]bc"));
});
