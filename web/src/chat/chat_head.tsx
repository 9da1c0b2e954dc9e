// The header of a conversation: title, model and actions.
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Problem } from "../api/problem";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";
import { archive } from "../sessions/list";
import { words } from "../text";
import { wordsOf } from "../ui/errors";
import { exportActions } from "../ui/export_actions";
import { Box, Dots, Menu, Pencil, Sliders, Trash } from "../ui/icons";
import { MenuButton } from "../ui/menu";
import { beginRename, isRenamed, RenameField } from "../ui/rename";
import { removeSession } from "../ui/session_list";
import { sidebarOpen, toggleSidebar } from "../ui/sidebar";
import { toast } from "../ui/toasts";
import { ChatSettings } from "./chat_settings";
import { ModelPicker } from "./model_picker";

// Then the page has its own heading.
export const isMissing = (chat: Chat) => chat.error.value instanceof Problem && chat.error.value.status === 404;

export function ChatHead({ chat, preset }: { chat: Chat; preset: Signal<Preset> }) {
  const t = words();
  const [open, setOpen] = useState(false);
  const session = chat.session.value;
  const title = session?.title?.trim() || (isMissing(chat) ? "" : chat.id ? t.untitled : t.newChat);
  const failed = (error: unknown) => toast(wordsOf(error));
  return (
    <header class="chat-head">
      {!sidebarOpen.value && <button type="button" class="icon-button" aria-label={t.openSidebar} onClick={() => toggleSidebar(true)}><Menu /></button>}
      {session && isRenamed(session.id, "head") ? <RenameField session={session} place="head" /> : (
        <div class="chat-title">
          {title && <h1 class="clip" dir="auto">{title}</h1>}
          {!chat.error.value && <ModelPicker chat={chat} preset={preset} />}
        </div>
      )}
      {!chat.error.value && <button type="button" class="icon-button" aria-label={t.chatSettings} title={t.chatSettings} onClick={() => setOpen(true)}><Sliders /></button>}
      {session && (
        <MenuButton label={t.sessionActions(title)} actions={[
          { name: t.rename, icon: <Pencil />, run: () => beginRename(session.id, "head") },
          ...exportActions(session, () => chat.leaf.peek()),
          { name: session.archived ? t.unarchive : t.archive, icon: <Box />, run: () => void archive(session.id, !session.archived).catch(failed) },
          { name: t.remove, icon: <Trash />, danger: true, run: () => removeSession(session) },
        ]}><Dots /></MenuButton>
      )}
      {open && <ChatSettings chat={chat} preset={preset} close={() => setOpen(false)} />}
    </header>
  );
}
