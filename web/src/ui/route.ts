// The current page: the part of the address after #, which no server sees and no proxy changes.
import { computed, signal } from "@preact/signals";

export type Route =
  | { page: "chat"; id: string | null; message: string | null } // The message to scroll to.
  | { page: "search"; text: string }
  | { page: "settings"; part: string }
  | { page: "admin"; part: string }
  | { page: "automations"; id: string | null; part: string } // Parts: "", "new", "runs", and "edit" of one automation.
  | { page: "webhooks"; id: string | null; part: string } // Parts: "", "new", and "edit" of one webhook.
  | { page: "events" }
  | { page: "shortcuts" }
  | { page: "setup"; code: string }
  | { page: "invite"; code: string }
  | { page: "reset"; code: string };

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

export function parse(text: string): Route {
  const rest = text.replace(/^#\/?/, "");
  const secret = /^(setup|invite|invitation|reset)=([\w-]+)$/.exec(rest);
  if (secret) return { page: secret[1] === "setup" || secret[1] === "reset" ? secret[1] : "invite", code: secret[2]! };
  const [page, part, more] = rest.split("/");
  const isId = (text: string | undefined): text is string => !!text && /^\w{1,40}$/.test(text);
  if (page === "chat") return { page, id: isId(part) ? part : null, message: isId(more) ? more : null };
  if (page === "search") return { page, text: decoded(part ?? "") };
  if (page === "settings") return { page, part: part ?? "" };
  if (page === "admin") return { page, part: part ?? "" };
  if (page === "automations")
    return part && /^aut_\w{1,40}$/.test(part) ? { page, id: part, part: more ?? "" } : { page, id: null, part: part ?? "" };
  if (page === "webhooks")
    return part && /^whk_\w{1,40}$/.test(part) ? { page, id: part, part: more ?? "" } : { page, id: null, part: part ?? "" };
  if (page === "events" || page === "shortcuts") return { page };
  return { page: "chat", id: null, message: null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = computed(() => parse(hash.value));

export const chatLink = (id: string | null) => (id ? `#/chat/${id}` : "#/chat");

export const messageLink = (session: string, message: string) => `${chatLink(session)}/${message}`;

export const searchLink = (text: string) => `#/search${text && `/${encodeURIComponent(text)}`}`;

export const automationLink = (id: string, part = "") => `#/automations/${id}${part && `/${part}`}`;

export const webhookLink = (id: string, part = "") => `#/webhooks/${id}${part && `/${part}`}`;

export function go(link: string): void {
  if (location.hash !== link) location.hash = link;
}

// Without a history entry: for links that were used up, and for a chat that gets an id.
export function replace(link: string): void {
  history.replaceState(null, "", link);
  hash.value = location.hash;
}
