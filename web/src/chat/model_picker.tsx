// The model that answers, above the conversation. It can be changed if the server offers several.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as calls from "../api/calls";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";
import { words } from "../text";
import { wordsOf } from "../ui/errors";
import { Down } from "../ui/icons";
import { MenuButton } from "../ui/menu";
import { toast } from "../ui/toasts";
import { loadModels, modelOf, models } from "./models";

async function use(model: string, chat: Chat, preset: Signal<Preset>): Promise<void> {
  const session = chat.session.peek();
  if (session) chat.adopt(await calls.sessions.patch(session.id, { model }));
  else preset.value = { ...preset.peek(), model };
}

export function ModelPicker({ chat, preset }: { chat: Chat; preset: Signal<Preset> }) {
  useEffect(loadModels, []);
  const now = modelOf(chat, preset.value);
  if (!now) return null;
  if (models.value.length < 2) return <span class="fine clip">{now}</span>;
  return (
    <MenuButton label={words().chooseModel(now)} class="model-button" actions={models.value.map(({ id }) => ({
      name: id, checked: id === now, run: () => void use(id, chat, preset).catch((error) => toast(wordsOf(error))),
    }))}><span class="clip">{now}</span><Down size={14} /></MenuButton>
  );
}
