// The models of this server: fetched once, when they are first needed.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import type { Model } from "../api/types";
import { settings } from "../auth/login";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";

export const models = signal<Model[]>([]);

let asked = false;

export function loadModels(): void {
  if (asked) return;
  asked = true;
  calls.models().then((list) => (models.value = list.data), () => (asked = false));
}

export const defaultModel = (): string | null => settings.value?.default_model ?? null;

export const modelOf = (chat: Chat, preset: Preset): string | null =>
  chat.session.value?.model || (chat.id ? null : preset.model) || defaultModel();
