// The rows of the list. Only those in view are on the page, so that ten thousand scroll as fast as
// ten.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../api/types";
import { archive, complete, loading, loadMore } from "../sessions/list";
import { words as typed } from "../sessions/search";
import { remove } from "../sessions/undo";
import { words } from "../text";
import { wordsOf } from "./errors";
import { Box, Pencil, Trash } from "./icons";
import { Menu } from "./menu";
import { beginRename, isRenamed, RenameField } from "./rename";
import { chatLink, replace, route } from "./route";
import { rowsOf, type Row } from "./session_rows";
import { leaveSidebar } from "./sidebar";
import { toast } from "./toasts";

const ROW = 38;
const AROUND = 8; // Rows on either side of the view.

const failed = (error: unknown) => toast(wordsOf(error));

export function removeSession(session: Session): void {
  remove(session);
  const now = route.value;
  if (now.page === "chat" && now.id === session.id) replace(chatLink(null));
}

// One menu for all rows, because each would be expensive.
const menu = signal<{ session: Session; button: HTMLElement } | null>(null);

function RowMenu() {
  const t = words();
  if (!menu.value) return null;
  const { session, button } = menu.value;
  const close = (refocus: boolean) => {
    menu.value = null;
    if (refocus) button.focus();
  };
  return <Menu key={session.id} label={t.sessionActions(titleOf(session))} place={button.getBoundingClientRect()} close={close} up={false} actions={[
    { name: t.rename, icon: <Pencil />, run: () => beginRename(session.id, "list") },
    { name: session.archived ? t.unarchive : t.archive, icon: <Box />, run: () => void archive(session.id, !session.archived).catch(failed) },
    { name: t.remove, icon: <Trash />, danger: true, run: () => removeSession(session) },
  ]} />;
}

const titleOf = (session: Session) => session.title?.trim() || words().untitled;

function SessionLink({ session, current }: { session: Session; current: boolean }) {
  const t = words();
  const title = titleOf(session);
  const open = menu.value?.session.id === session.id;
  return (
    <>
      <a class="clip" dir="auto" href={chatLink(session.id)} aria-current={current ? "page" : undefined} onClick={leaveSidebar} title={title}>{title}</a>
      {session.active_run_ids.length > 0 && <span class="busy-dot" role="img" aria-label={t.answering} />}
      <button type="button" class="icon-button small row-menu" aria-label={t.sessionActions(title)} aria-haspopup="menu" aria-expanded={open}
              onClick={(event) => (menu.value = open ? null : { session, button: event.currentTarget })} />
    </>
  );
}

export function SessionList({ sessions }: { sessions: Session[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);
  const rows = useMemo(() => rowsOf(sessions, new Date()), [sessions]);
  const drawn = useRef(new Map<string, Drawn>());
  useLayoutEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / ROW) - AROUND);
  const last = Math.min(rows.length, Math.ceil((top + ROW + height) / ROW) + AROUND);
  const nearEnd = last >= rows.length - AROUND;
  useEffect(() => {
    if (nearEnd && !complete.value && !typed.value) void loadMore();
  }, [nearEnd, rows.length, complete.value]);
  drawn.current = new Map(rows.slice(first, last).map((row, index) => [keyOf(row), draw(drawn.current, row, first + index)]));
  return (
    <div class="session-list" ref={frame} onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW) * ROW)}>
      <div class="session-space" role="list" style={{ height: `${rows.length * ROW}px` }}>
        {[...drawn.current.values()].map((each) => each.element)}
      </div>
      <RowMenu />
      {loading.value && <p class="fine center">{words().loading}</p>}
    </div>
  );
}

const keyOf = (row: Row) => (row.kind === "group" ? row.name : row.session.id);

const contentOf = (row: Row) => (row.kind === "group" ? row.name : row.session);

interface Drawn {
  row: Row;
  at: number;
  element: JSX.Element;
}

// Rows that stay in view keep their elements, which Preact then skips.
function draw(drawn: ReadonlyMap<string, Drawn>, row: Row, at: number): Drawn {
  const known = drawn.get(keyOf(row));
  if (known && known.at === at && contentOf(known.row) === contentOf(row)) return known;
  return { row, at, element: <RowAt key={keyOf(row)} row={row} at={at} /> };
}

function RowAt({ row, at }: { row: Row; at: number }) {
  const style = { top: `${at * ROW}px` };
  return row.kind === "group"
    ? <div class="session-row group" role="presentation" style={style}>{words()[row.name]}</div>
    : <SessionRow session={row.session} style={style} />;
}

// Few elements: each row that is scrolled into view is created again.
function SessionRow({ session, style }: { session: Session; style: { top: string } }) {
  const now = route.value;
  const current = now.page === "chat" && now.id === session.id;
  return (
    <div class={current ? "session-row session current" : "session-row session"} role="listitem" style={style}>
      {isRenamed(session.id, "list") ? <RenameField session={session} place="list" /> : <SessionLink session={session} current={current} />}
    </div>
  );
}
