// A note that a conversation is archived, and so not in the list.
import type { Chat } from "../sessions/chat";
import { archive } from "../sessions/list";
import { words } from "../text";
import { wordsOf } from "../ui/errors";
import { Box } from "../ui/icons";
import { toast } from "../ui/toasts";

export function ArchivedNote({ chat }: { chat: Chat }) {
  const t = words();
  const session = chat.session.value;
  if (!session?.archived) return null;
  const unarchive = () => void archive(session.id, false).catch((error) => toast(wordsOf(error)));
  return <p class="demo"><Box size={16} /><span>{t.isArchived} <button type="button" class="link" onClick={unarchive}>{t.unarchive}</button></span></p>;
}
