// The entries of a menu that save a conversation as a file.
import type { Session } from "../api/types";
import { exportSession, type Format } from "../sessions/export";
import { words } from "../text";
import { wordsOf } from "./errors";
import { Download } from "./icons";
import type { Action } from "./menu";
import { toast } from "./toasts";

// Null: the newest branch.
export function exportActions(session: Session, leaf: () => string | null): Action[] {
  const t = words();
  const save = (format: Format) => () =>
    void exportSession(session, leaf(), format, { user: t.you, assistant: t.assistant }).catch((error: unknown) => toast(wordsOf(error)));
  return [
    { name: t.exportMarkdown, icon: <Download />, run: save("markdown") },
    { name: t.exportJson, icon: <Download />, run: save("json") },
  ];
}
