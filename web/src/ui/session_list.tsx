// The rows of the list. Only those in view are on the page, so that ten thousand scroll as fast as
// ten.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../api/types";
import { archive, complete, loading, loadMore } from "../sessions/list";
import { words as typed } from "../sessions/search";
import { remove, UNDO_FOR } from "../sessions/undo";
import { words, type Words } from "../text";
import { wordsOf } from "./errors";
import { exportActions } from "./export_actions";
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

// Its row leaves this list, so the notice says what has happened.
async function setArchived(session: Session, archived: boolean): Promise<void> {
  try {
    await archive(session.id, archived);
    const told = archived ? words().archivedNow : words().unarchivedNow;
    toast(told(titleOf(session)), UNDO_FOR, () => void archive(session.id, !archived).catch(failed));
  } catch (error) {
    failed(error);
  }
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
    ...exportActions(session, () => null),
    { name: session.archived ? t.unarchive : t.archive, icon: <Box />, run: () => void setArchived(session, !session.archived) },
    { name: t.remove, icon: <Trash />, danger: true, run: () => removeSession(session) },
  ]} />;
}

const titleOf = (session: Session) => session.title?.trim() || words().untitled;

// How a row is shown, besides its session.
interface Look {
  current: boolean;
  menuOpen: boolean;
  renamed: boolean;
  t: Words;
}

// Not components: each row that is scrolled into view would begin to listen to four signals.
function link(session: Session, { current, menuOpen, t }: Look): JSX.Element {
  const title = titleOf(session);
  return (
    <>
      <a class="clip" dir="auto" href={chatLink(session.id)} aria-current={current ? "page" : undefined} onClick={leaveSidebar} title={title}>{title}</a>
      {session.active_run_ids.length > 0 && <span class="busy-dot" role="img" aria-label={t.answering} />}
      <button type="button" class="icon-button small row-menu" aria-label={t.sessionActions(title)} aria-haspopup="menu" aria-expanded={menuOpen}
              onClick={(event) => (menu.value = menuOpen ? null : { session, button: event.currentTarget })} />
    </>
  );
}

function rowAt(row: Row, at: number, look: Look): JSX.Element {
  const style = { top: `${at * ROW}px` };
  if (row.kind === "group") return <div key={row.name} class="session-row group" role="presentation" style={style}>{look.t[row.name]}</div>;
  const { session } = row;
  return (
    <div key={session.id} class={look.current ? "session-row session current" : "session-row session"} role="listitem" style={style}>
      {look.renamed ? <RenameField session={session} place="list" /> : link(session, look)}
    </div>
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
  const t = words();
  const now = route.value;
  const open = menu.value?.session.id;
  const lookOf = (row: Row): Look => {
    const id = row.kind === "group" ? "" : row.session.id;
    return { current: now.page === "chat" && now.id === id, menuOpen: open === id, renamed: isRenamed(id, "list"), t };
  };
  drawn.current = new Map(rows.slice(first, last).map((row, index) => [keyOf(row), draw(drawn.current.get(keyOf(row)), row, first + index, lookOf(row))]));
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
  look: Look;
  element: JSX.Element;
}

const same = (a: Look, b: Look) => a.current === b.current && a.menuOpen === b.menuOpen && a.renamed === b.renamed && a.t === b.t;

// Rows that stay in view keep their elements, which Preact then skips.
function draw(known: Drawn | undefined, row: Row, at: number, look: Look): Drawn {
  if (known && known.at === at && contentOf(known.row) === contentOf(row) && same(known.look, look)) return known;
  return { row, at, look, element: rowAt(row, at, look) };
}
