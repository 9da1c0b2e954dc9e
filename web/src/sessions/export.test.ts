import { describe, expect, it } from "vitest";
import type { Message, Session } from "../api/types";
import { fenced } from "../chat/files";
import { fileName, markdownOf } from "./export";

const session = { id: "s", title: "A <b>title</b>\nhere", instructions: "Be brief.\nAlways." } as Session;
const messages = [
  { role: "user", content: [{ type: "text", text: "Hi" }] },
  { role: "assistant", model: "m", content: [{ type: "text", text: "Hello" }] },
] as Message[];

describe("export", () => {
  it("writes Markdown with who said what", () => {
    expect(markdownOf(session, messages, { user: "You", assistant: "Assistant" }))
      .toBe("# A <b>title</b> here\n\n> Be brief.\n> Always.\n\n## You\n\nHi\n\n## m\n\nHello\n");
  });

  it.each([["Tides: why?", "Tides-why.txt"], ["../../etc/passwd", "etc-passwd.txt"], ["", "chat.txt"], ["\u202Egpj.exe", "gpj-exe.txt"], ["潮汐", "潮汐.txt"]])(
    "names a file for %j", (title, name) => expect(fileName(title, "txt")).toBe(name));
});

describe("files in a message", () => {
  it("cannot break out of their fence, nor their name out of its line", () => {
    expect(fenced("a.py", "x\n````\ny\n")).toBe("a.py:\n`````py\nx\n````\ny\n`````\n");
    expect(fenced("a\n# b`c`.txt", "x")).toBe("a # b c .txt:\n```txt\nx\n```\n");
  });
});
