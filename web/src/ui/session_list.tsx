// The rows of the list. Only those in view are on the page, so that ten thousand scroll as ten do.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../api/types";
import { archive, complete, loading, loadMore } from "../sessions/list";
import { words as typed } from "../sessions/search";
import { remove } from "../sessions/undo";
import { words } from "../text";
import { wordsOf } from "./errors";
import { Box, Dots, Pencil, Trash } from "./icons";
import { MenuButton } from "./menu";
import { beginRename, isRenamed, RenameField } from "./rename";
import { chatLink, replace, route } from "./route";
import { rowsOf, type Row } from "./session_rows";
import { leaveSidebar } from "./sidebar";
import { toast } from "./toasts";

const ROW = 38;
const AROUND = 12; // Rows kept on either side of what is in view.

const failed = (error: unknown) => toast(wordsOf(error));

export function removeSession(session: Session): void {
  remove(session);
  const now = route.value;
  if (now.page === "chat" && now.id === session.id) replace(chatLink(null));
}

function SessionRow({ session }: { session: Session }) {
  const t = words();
  const now = route.value;
  const current = now.page === "chat" && now.id === session.id;
  const title = session.title?.trim() || t.untitled;
  if (isRenamed(session.id, "list")) return <RenameField session={session} place="list" />;
  return (
    <div class={current ? "session current" : "session"}>
      <a href={chatLink(session.id)} aria-current={current ? "page" : undefined} onClick={leaveSidebar} title={title}>
        <span class="clip" dir="auto">{title}</span>
        {session.active_run_ids.length > 0 && <span class="busy-dot" role="img" aria-label={t.answering} />}
      </a>
      <MenuButton label={t.sessionActions(title)} class="icon-button small row-menu" actions={[
        { name: t.rename, icon: <Pencil />, run: () => beginRename(session.id, "list") },
        { name: session.archived ? t.unarchive : t.archive, icon: <Box />, run: () => void archive(session.id, !session.archived).catch(failed) },
        { name: t.remove, icon: <Trash />, danger: true, run: () => removeSession(session) },
      ]}><Dots size={18} /></MenuButton>
    </div>
  );
}

export function SessionList({ sessions }: { sessions: Session[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);
  const rows = useMemo(() => rowsOf(sessions, new Date()), [sessions]);
  useLayoutEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / ROW) - AROUND);
  const last = Math.min(rows.length, Math.ceil((top + ROW + height) / ROW) + AROUND);
  useEffect(() => {
    if (last >= rows.length - AROUND && !complete.value && !typed.value) void loadMore();
  }, [last, rows.length, complete.value]);
  return (
    <div class="session-list" ref={frame} onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW) * ROW)}>
      <div class="session-space" role="list" style={{ height: `${rows.length * ROW}px` }}>
        {rows.slice(first, last).map((row, index) => <RowAt key={keyOf(row)} row={row} at={first + index} />)}
      </div>
      {loading.value && <p class="fine center">{words().loading}</p>}
    </div>
  );
}

const keyOf = (row: Row) => (row.kind === "group" ? row.name : row.session.id);

const contentOf = (row: Row) => (row.kind === "group" ? row.name : row.session);

// Rows that stay in view are not drawn again while others come.
class RowAt extends Component<{ row: Row; at: number }> {
  override shouldComponentUpdate(next: { row: Row; at: number }): boolean {
    return next.at !== this.props.at || contentOf(next.row) !== contentOf(this.props.row);
  }
  override render({ row, at }: { row: Row; at: number }) {
    const style = { top: `${at * ROW}px` };
    if (row.kind === "group") return <div class="session-row group" role="presentation" style={style}>{words()[row.name]}</div>;
    return <div class="session-row" role="listitem" style={style}><SessionRow session={row.session} /></div>;
  }
}
