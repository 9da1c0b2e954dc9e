// The models of this server that answer: fetched once, when they are first needed.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import type { Model } from "../api/types";
import { settings } from "../auth/login";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";

export const models = signal<Model[]>([]);

// A model that embeds texts and writes no JSON is an embedding model, which cannot answer.
const answers = ({ capabilities }: Model): boolean => !capabilities?.embeddings || !!capabilities.json_schema;

let asked = false;

export function loadModels(): void {
  if (asked) return;
  asked = true;
  calls.models().then((list) => (models.value = list.data.filter(answers)), () => (asked = false));
}

export const defaultModel = (): string | null => settings.value?.default_model ?? null;

export const seesImages = (model: string | null): boolean =>
  !!models.value.find(({ id }) => id === model)?.capabilities?.vision;

export const modelOf = (chat: Chat, preset: Preset): string | null =>
  chat.session.value?.model || (chat.id ? null : preset.model) || defaultModel();
