// The app after a login: the list, the page, and the state of the connection.
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { reachable } from "../api/http";
import { ChatView } from "../chat/chat_view";
import { Pages } from "../pages/pages";
import { words } from "../text";
import { Alert } from "./icons";
import { route } from "./route";
import { listenToKeys } from "./shortcuts";
import { Sidebar } from "./sidebar";
import { Toasts } from "./toasts";

const online = signal(navigator.onLine);
addEventListener("online", () => (online.value = true));
addEventListener("offline", () => (online.value = false));

function ConnectionNote() {
  const t = words();
  if (online.value && reachable.value) return null;
  return <div class="connection" role="status"><Alert size={17} />{online.value ? t.unreachable : t.offline}</div>;
}

export function Shell() {
  const now = route.value;
  useEffect(listenToKeys, []);
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>(".messages, .page-body")?.focus(); }}>{words().skip}</a>
      <Sidebar />
      <main class="main" id="main">
        <ConnectionNote />
        {now.page === "chat" ? <ChatView id={now.id} message={now.message} /> : <Pages route={now} />}
      </main>
      <Toasts />
    </div>
  );
}
