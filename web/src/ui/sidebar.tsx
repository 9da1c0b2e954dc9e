// The list of conversations, with search, and links to all other pages.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOperator, logOut, user } from "../auth/login";
import { hasArchived, loading, listError, loadFirst, shelf, show } from "../sessions/list";
import { logOpen } from "../sessions/news";
import { searchError, searching, shown, words as typed } from "../sessions/search";
import { words } from "../text";
import { Avatar } from "./avatar";
import { ErrorNote } from "./errors";
import { Box, Clock, Close, Door, Gauge, Gear, Keyboard, Left, List, Logo, Panel, People, Pencil, Search } from "./icons";
import { MenuButton, type Action } from "./menu";
import { chatLink, go, route, searchLink } from "./route";
import { SessionList } from "./session_list";

const WIDE = "(min-width: 56rem)";
const KEY = "parley-sidebar";

const wide = matchMedia(WIDE);
export const sidebarOpen = signal(wide.matches && localStorage.getItem(KEY) !== "closed");
wide.addEventListener("change", () => (sidebarOpen.value = wide.matches));

export function toggleSidebar(open = !sidebarOpen.value): void {
  sidebarOpen.value = open;
  if (wide.matches) localStorage.setItem(KEY, open ? "open" : "closed");
}

// On a phone the list covers the page, so a selection closes it.
export const leaveSidebar = () => !wide.matches && toggleSidebar(false);

export const searchField = () => document.querySelector<HTMLInputElement>("#search");

function UserMenu() {
  const t = words();
  const name = user.value?.display_name || user.value?.username || "";
  const to = (link: string) => () => { leaveSidebar(); go(link); };
  const actions: Action[] = [
    { name: t.settings, icon: <Gear />, run: to("#/settings") },
    { name: t.data.search, icon: <Search />, run: to("#/search") },
    ...(isOperator() ? [
      { name: t.users, icon: <People />, run: to("#/admin/users") },
      { name: t.audit, icon: <List />, run: to("#/admin/audit") },
      { name: t.status, icon: <Gauge />, run: to("#/admin/status") },
    ] : []),
    { name: t.shortcuts, icon: <Keyboard />, run: to("#/shortcuts") },
    { name: t.logOut, icon: <Door />, run: () => void logOut() },
  ];
  return (
    <MenuButton label={`${t.menu}: ${name}`} actions={actions} class="user-button" up>
      <Avatar name={name} />
      <span class="clip" dir="auto">{name}</span>
    </MenuButton>
  );
}

// The list shows titles; the page of the search has the messages.
function searchMessages(): void {
  const text = typed.value.trim();
  if (!text) return;
  leaveSidebar();
  go(searchLink(text));
}

export function Sidebar() {
  const t = words();
  useEffect(() => void logOpen().then(loadFirst), []);
  if (!sidebarOpen.value) return null;
  const archived = shelf.value === "archived";
  return (
    <>
      <div class="scrim" onClick={() => toggleSidebar(false)} />
      <nav class="sidebar" aria-label={t.chats}>
        <div class="sidebar-head">
          <a class="brand" href={chatLink(null)} onClick={leaveSidebar}><Logo size={26} /><span>{t.product}</span></a>
          <button type="button" class="icon-button" aria-label={t.closeSidebar} onClick={() => toggleSidebar(false)}><Panel /></button>
        </div>
        <a class="new-chat" href={chatLink(null)} onClick={leaveSidebar}><Pencil size={18} />{t.newChat}</a>
        <div class="search" role="search" aria-label={t.searchChats}>
          <Search size={18} />
          <input id="search" type="search" aria-label={t.searchChats} placeholder={t.search} value={typed.value} maxLength={200}
                 onInput={(event) => (typed.value = event.currentTarget.value)} onKeyDown={(event) => { if (event.key === "Enter") searchMessages(); }} />
          {typed.value && <button type="button" class="icon-button small" aria-label={t.clear} onClick={() => { typed.value = ""; searchField()?.focus(); }}><Close size={16} /></button>}
        </div>
        {typed.value.trim() && <a class="shelf" href={searchLink(typed.value.trim())} onClick={leaveSidebar}><Search size={18} /><span class="clip" dir="auto">{t.data.searchFor(typed.value.trim())}</span></a>}
        {archived && <button type="button" class="shelf" onClick={() => show("active")}><Left size={18} />{t.backToChats}</button>}
        <ErrorNote error={listError.value} retry={() => void loadFirst()} />
        <ErrorNote error={searchError.value} dismiss={() => (searchError.value = null)} />
        {shown.value.length > 0 ? <SessionList sessions={shown.value} /> : <div class="empty-list">{emptyText(archived)}</div>}
        <div class="sidebar-foot">
          <a class="shelf" href="#/automations" aria-current={/^(automations|webhooks|events)$/.test(route.value.page) ? "page" : undefined} onClick={leaveSidebar}><Clock size={18} />{t.automations.title}</a>
          {!archived && <button type="button" class="shelf" onClick={() => show("archived")}><Box size={18} />{t.archived}</button>}
          <UserMenu />
        </div>
      </nav>
    </>
  );
}

function emptyText(archived: boolean) {
  const t = words();
  if (loading.value || searching.value) return <p>{t.loading}</p>;
  if (typed.value) return <p>{t.nothingFound}</p>;
  if (archived) return <p>{t.noArchived}</p>;
  if (hasArchived.value) return <><p>{t.allArchived}</p><p><button type="button" class="link" onClick={() => show("archived")}>{t.showArchived}</button></p></>;
  return <><p>{t.noChats}</p><p class="fine">{t.noChatsHint}</p></>;
}
