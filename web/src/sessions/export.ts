// A session as a file: Markdown for people, with the branch that is shown or the newest one; JSON for programs, with all
// branches.
import * as calls from "../api/calls";
import { persist } from "../api/http";
import type { Message, Session } from "../api/types";
import { textOf } from "../streams/events";

export type Format = "markdown" | "json";

async function wholeBranch(session: string, leaf: string | null): Promise<Message[]> {
  const all: Message[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof calls.sessions.messages>> = await persist(() =>
      calls.sessions.messages(session, { leaf, order: "asc", after, limit: 100 }));
    all.push(...page.data);
    after = page.has_more ? page.next_cursor : null;
  } while (after);
  return all;
}

export function markdownOf(session: Session, messages: Message[], names: { user: string; assistant: string }): string {
  const parts = [`# ${(session.title ?? "").replace(/\s+/g, " ").trim()}`];
  if (session.instructions) parts.push(session.instructions.replace(/^/gm, "> "));
  for (const message of messages) {
    const name = message.role === "user" ? names.user : (message.model ?? names.assistant);
    parts.push(`## ${name}`);
    for (const part of message.content) if (part.type === "image") parts.push(`![](${part.url})`);
    parts.push(textOf(message));
  }
  return parts.join("\n\n") + "\n";
}

// Of the lines of an export; as it can be imported.
export function jsonOf(lines: string): string {
  const [session, ...messages] = lines.split("\n").filter(Boolean).map((line): unknown => JSON.parse(line));
  return JSON.stringify({ session, messages }, null, 2) + "\n";
}

export function fileName(title: string | null, extension: string): string {
  const words = (title ?? "").normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${words || "chat"}.${extension}`;
}

export const download = (name: string, type: string, text: string): void => downloadBlob(name, new Blob([text], { type }));

export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function exportSession(session: Session, leaf: string | null, format: Format, names: { user: string; assistant: string }): Promise<void> {
  if (format === "json") {
    const lines = await (await calls.moving.export(session.id)).text();
    download(fileName(session.title, "json"), "application/json", jsonOf(lines));
  } else {
    download(fileName(session.title, "md"), "text/markdown", markdownOf(session, await wholeBranch(session.id, leaf), names));
  }
}
