// A session as a file: Markdown for people, JSON for programs. Contains one branch: the one that is shown, or the newest.
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
    parts.push(`## ${name}`, textOf(message));
  }
  return parts.join("\n\n") + "\n";
}

export const jsonOf = (session: Session, messages: Message[]): string =>
  JSON.stringify({ session, messages }, null, 2) + "\n";

export function fileName(title: string | null, extension: string): string {
  const words = (title ?? "").normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${words || "chat"}.${extension}`;
}

export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export async function exportSession(session: Session, leaf: string | null, format: Format, names: { user: string; assistant: string }): Promise<void> {
  const messages = await wholeBranch(session.id, leaf);
  if (format === "json") download(fileName(session.title, "json"), "application/json", jsonOf(session, messages));
  else download(fileName(session.title, "md"), "text/markdown", markdownOf(session, messages, names));
}
