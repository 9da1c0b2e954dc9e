// Text files, dropped or picked, become part of the message: in a fenced block, under their name.

export const LONGEST_MESSAGE = 131_072; // Bytes of text.

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export type Fault = "notText" | "tooLarge";

// The text of a file, or the reason why it cannot be part of a message.
export async function readText(file: File): Promise<string | Fault> {
  if (file.size > LONGEST_MESSAGE) return "tooLarge";
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? "notText" : text;
  } catch {
    return "notText";
  }
}

// A fence longer than any in the text; the name cannot break out of its line.
export function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  const language = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const title = name.replace(/[\s`]+/g, " ").trim().slice(0, 120);
  return `${title}:\n${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}\n`;
}
