import { describe, expect, it } from "vitest";
import { finalBlocks } from "./blocks";

// All blocks of a text, the unfinished one last.
function blocks(text: string): string[] {
  const ends = finalBlocks(text, 0);
  return [...ends, text.length].map((end, at) => text.slice(at ? ends[at - 1] : 0, end)).filter((block) => block.trim());
}

describe("finalBlocks", () => {
  it.each([
    ["paragraphs", "one\n\ntwo\n\nthree", ["one\n\n", "two\n\n", "three"]],
    ["code with empty lines", "a\n\n```js\nx\n\ny\n```\nb", ["a\n\n", "```js\nx\n\ny\n```\n", "b"]],
    ["code that is not closed yet", "a\n\n```js\nx\n\ny\n", ["a\n\n", "```js\nx\n\ny\n"]],
    ["a longer fence around a shorter one", "````\n```\n\n```\n````\nb", ["````\n```\n\n```\n````\n", "b"]],
    ["a list with empty lines between its items", "- a\n\n- b\n\n  more\n\nend", ["- a\n\n- b\n\n  more\n\n", "end"]],
    ["code inside a list", "1. a\n\n   ```\n   x\n\n   y\n   ```\n2. b\n\nend", ["1. a\n\n   ```\n   x\n\n   y\n   ```\n2. b\n\n", "end"]],
    ["a table", "| a |\n|---|\n| 1 |\n\nend", ["| a |\n|---|\n| 1 |\n\n", "end"]],
  ])("keeps %s together", (_name, text, expected) => expect(blocks(text)).toEqual(expected));

  it("never takes a cut back, wherever the text ends meanwhile", () => {
    const text = "# T\n\na b\n\n- x\n\n  y\n- z\n\n```c\n1\n\n2\n```\n\n| q |\n|---|\n| 1 |\n\nlast";
    let final = 0;
    const ends: number[] = [];
    for (let length = 1; length <= text.length; length++)
      for (const end of finalBlocks(text.slice(0, length), final)) { ends.push(end); final = end; }
    expect(ends).toEqual(finalBlocks(text, 0));
  });

  it("cuts a paragraph of endless plain words, at a space", () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(" ");
    const ends = finalBlocks(text, 0);
    expect(ends.length).toBeGreaterThan(10);
    for (const end of ends) expect(text[end - 1]).toBe(" ");
  });

  it("does not tear marks apart", () => {
    expect(finalBlocks(`**${"word ".repeat(5_000)}**`, 0)).toEqual([]);
  });
});
