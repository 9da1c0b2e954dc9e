import { describe, expect, it } from "vitest";
import { conversationsOf, formatOf, UnknownFormat, Unreadable } from "./source";

async function all(content: BlobPart): Promise<unknown[]> {
  const found = [];
  for await (const each of conversationsOf(new File([content], "export"))) found.push(typeof each === "string" ? each : `${each.format} ${each.title} ${JSON.stringify(each.conversation)}`);
  return found;
}

const number = (value: number, bytes: number) => Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

// An archive as other programs write it.
async function zip(files: Record<string, string>, deflated: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const out: number[] = [];
  const directory: number[] = [];
  for (const [name, content] of Object.entries(files)) {
    const [title, plain] = [[...new TextEncoder().encode(name)], new TextEncoder().encode(content)];
    const packed = [...(deflated ? await deflate(plain) : plain)];
    const header = out.length;
    const about = [...number(deflated ? 8 : 0, 2), ...number(0, 8), ...number(packed.length, 4), ...number(plain.length, 4), ...number(title.length, 2), ...number(0, 2)];
    out.push(0x50, 0x4b, 3, 4, 20, 0, 0, 0, ...about, ...title, ...packed);
    directory.push(0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0, ...about, ...number(0, 10), ...number(header, 4), ...title);
  }
  const begin = out.length;
  return new Uint8Array([...out, ...directory, 0x50, 0x4b, 5, 6, ...number(0, 8), ...number(directory.length, 4), ...number(begin, 4), 0, 0]);
}

const gpt = (title: string) => ({ title, mapping: {} });

describe("files of other programs", () => {
  it("knows formats", () => {
    expect(formatOf(gpt("x"))).toBe("chatgpt");
    expect(formatOf({ chat: {} })).toBe("open_webui");
    expect(formatOf({ object: "user" })).toBe("parley");
    expect(formatOf({})).toBeUndefined();
  });

  it("takes lists apart", async () => {
    expect(await all(JSON.stringify([gpt("one"), gpt("two")]))).toEqual(['chatgpt one {"title":"one","mapping":{}}', 'chatgpt two {"title":"two","mapping":{}}']);
    expect(await all('[{"mapping":01},{"mapping":{}}]')).toEqual(["notJson", 'chatgpt  {"mapping":{}}']);
  });

  it("puts the lines of an export together", async () => {
    const lines = [{ object: "user" }, { object: "chat.session", title: "A" }, { object: "chat.message", id: 1 }, { object: "chat.message", id: 2 }, { object: "chat.session", title: "B" }, { object: "automation" }];
    expect(await all(lines.map((line) => JSON.stringify(line)).join("\n"))).toEqual([
      'parley A {"session":{"object":"chat.session","title":"A"},"messages":[{"object":"chat.message","id":1},{"object":"chat.message","id":2}]}',
      'parley B {"session":{"object":"chat.session","title":"B"},"messages":[]}',
    ]);
  });

  it.each([true, false])("reads archives (deflated: %s)", async (deflated) => {
    const files = { "user.json": "{}", "sub/conversations.json": JSON.stringify([gpt("zip")]), "conversations-001.json": JSON.stringify([gpt("first")]) };
    expect(await all(await zip(files, deflated))).toEqual(['chatgpt first {"title":"first","mapping":{}}', 'chatgpt zip {"title":"zip","mapping":{}}']);
    await expect(all(await zip({ "user.json": "{}" }, deflated))).rejects.toBeInstanceOf(UnknownFormat);
    await expect(all((await zip(files, deflated)).slice(0, 60))).rejects.toBeInstanceOf(Unreadable);
  });

  it("tells what it cannot read", async () => {
    await expect(all("{}")).rejects.toBeInstanceOf(UnknownFormat);
    await expect(all("[1]")).rejects.toBeInstanceOf(Unreadable);
  });
});
