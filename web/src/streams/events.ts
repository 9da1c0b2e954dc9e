// The events of a run, as far as the app needs them.
import type { Message, Run } from "../api/types";
import type { ServerEvent } from "./sse";

export type RunEvent =
  | { at: number; type: "created"; run: Run }
  | { at: number; type: "delta"; text: string; message: string }
  | { at: number; type: "snapshot"; message: Message }
  | { at: number; type: "end"; run: Run }
  | { at: number; type: "other" }; // A type that is newer than this app; only its number counts.

const ENDS = new Set(["run.completed", "run.failed", "run.cancelled", "run.interrupted"]);

interface Wire {
  run?: Run;
  message?: Message;
  message_id?: string;
  delta?: { type: string; text?: string };
}

export function eventOf(event: ServerEvent): RunEvent {
  const at = Number(event.id);
  const wire = JSON.parse(event.data) as Wire;
  if (event.type === "message.delta")
    return { at, type: "delta", text: wire.delta?.text ?? "", message: wire.message_id ?? "" };
  if (event.type === "run.snapshot" && wire.message) return { at, type: "snapshot", message: wire.message };
  if (event.type === "run.created" && wire.run) return { at, type: "created", run: wire.run };
  if (ENDS.has(event.type) && wire.run) return { at, type: "end", run: wire.run };
  return { at, type: "other" };
}

export const textOf = (message: Message | null | undefined): string =>
  (message?.content ?? []).map((part) => part.text ?? "").join("");
