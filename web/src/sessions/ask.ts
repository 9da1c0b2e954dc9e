// Asking: a question after the newest message or at a chosen place, the same question again, or a
// changed question. If there is no response, the request is repeated with the same key, so that the
// question is asked once.
import { batch } from "@preact/signals";
import * as calls from "../api/calls";
import type { Query } from "../api/calls";
import { persist } from "../api/http";
import { LoggedOut } from "../api/problem";
import type { ContentPart, Run } from "../api/types";
import type { Attached, Chat, Pending } from "./chat";
import { newKey } from "./drafts";
import { find } from "./list";
import { samplingOf, withSampling, type Sampling } from "./sampling";

export interface Preset {
  instructions: string;
  model: string;
  sampling: Sampling;
}

let sending: AbortController | undefined;

// Creates the session for its first question, with the settings that were chosen before.
async function open(chat: Chat, preset: Preset, key: string): Promise<void> {
  const set = Object.keys(preset.sampling).length > 0;
  if (chat.id || (!preset.instructions && !preset.model && !set)) return;
  const session = await persist(() =>
    calls.sessions.create({
      ...(preset.instructions && { instructions: preset.instructions }),
      ...(preset.model && { model: preset.model }),
      ...(set && { metadata: withSampling({}, preset.sampling) }),
    }, `${key}-session`), sending?.signal);
  chat.adopt(session);
}

function messageOf(text: string, images: Attached[] = []): string | ContentPart[] {
  if (!images.length) return text;
  return [...images.map(({ url }) => ({ type: "image", url })), ...(text ? [{ type: "text", text }] : [])];
}

function queryOf(chat: Chat, pending: Pending): Query {
  return {
    ...(chat.id && { session_id: chat.id }),
    ...(pending.text !== null && { message: messageOf(pending.text, pending.images) }),
    ...(pending.parent !== undefined && { parent_message_id: pending.parent }),
    ...samplingOf(chat.session.value?.metadata),
  };
}

// True when the question is stored: from then on the answer cannot be lost.
async function send(chat: Chat, pending: Pending, key: string, preset?: Preset): Promise<boolean> {
  if (chat.pending.value) return false;
  chat.pending.value = pending;
  chat.sendError.value = null;
  sending = new AbortController();
  const { signal } = sending;
  try {
    if (preset) await open(chat, preset, key);
    const run = await persist(() => calls.chat.ask(queryOf(chat, pending), key, signal), signal);
    begun(chat, run);
    return true; // Does not wait: the composer is free for the next question.
  } catch (error) {
    if (!signal.aborted && !(error instanceof LoggedOut)) chat.sendError.value = error;
    return false;
  } finally {
    chat.pending.value = null;
  }
}

function begun(chat: Chat, run: Run): void {
  chat.learn(run.message ? [run.user_message, run.message] : [run.user_message]);
  batch(() => {
    chat.address.value = run.session_id; // Before anything else: a reload must find it.
    chat.leaf.value = run.user_message.id;
    chat.pending.value = null; // From here on it is shown as a message.
  });
  chat.chosen = false;
  const going = run.status === "queued" || run.status === "running";
  if (going) chat.follow(run.id, run);
  else if (run.message) chat.leaf.value = run.message.id;
  void list(chat, run).catch(() => undefined); // If this fails, the next fetch of the list corrects it.
}

// Moves the session to the front of the list; fetches a new one to get its title.
async function list(chat: Chat, run: Run): Promise<void> {
  const known = find(run.session_id) ?? chat.session.value;
  const session = known?.title ? known : await persist(() => calls.sessions.get(run.session_id));
  const others = session.active_run_ids.filter((id) => id !== run.id);
  const going = chat.live.value.some((live) => live.id === run.id); // It may have ended meanwhile.
  chat.adopt({ ...session, active_run_ids: going ? [...others, run.id] : others, last_message_at: run.user_message.created_at });
}

export function ask(chat: Chat, text: string, images: Attached[], key: string, preset: Preset): Promise<boolean> {
  const leaf = chat.leaf.value;
  return send(chat, { text, images, parent: chat.chosen && leaf ? leaf : undefined }, key, preset);
}

export function askAgain(chat: Chat, question: string): Promise<boolean> {
  return send(chat, { text: null, parent: question }, newKey());
}

// The previous question stays, with its answer, on its own branch.
export function askDifferently(chat: Chat, parent: string | null, text: string, images: Attached[]): Promise<boolean> {
  return send(chat, { text, images, parent }, newKey());
}

export function stopSending(): void {
  sending?.abort();
}
