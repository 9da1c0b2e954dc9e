// The login of this browser. It is stored in the vault; one tab at a time refreshes it, and the others
// read the new tokens there.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import { useTokens } from "../api/http";
import { LoggedOut, Problem } from "../api/problem";
import type { AppSettings, Login, User } from "../api/types";
import { hear, tell } from "../tabs/channel";
import { vault } from "./vault";

const KEY = "login";
const EARLY = 60_000; // The login is refreshed this long before its end, or after four fifths of its lifetime.

interface Kept {
  access_token: string;
  refresh_token: string;
  stale_at: number; // When to refresh it, by this machine's clock.
  scope: string;
  user: User;
}

export const user = signal<User | null>(null);
export const started = signal(false); // Whether the vault has been read.
export const expired = signal(false); // Logged out by the server, not by the user.
export const settings = signal<AppSettings | null>(null);

let kept: Kept | undefined;

export async function clientToken(): Promise<string> {
  settings.value ??= await calls.appSettings();
  return settings.value.client_token;
}

function take(next: Kept | undefined): void {
  kept = next;
  user.value = next?.user ?? null;
  if (next) expired.value = false;
}

async function keep(login: Login): Promise<Kept> {
  const next: Kept = {
    access_token: login.access_token,
    refresh_token: login.refresh_token,
    stale_at: Date.now() + login.expires_in * 1000 - Math.min(EARLY, login.expires_in * 200),
    scope: login.scope,
    user: login.user,
  };
  await vault.set(KEY, next);
  take(next);
  tell({ type: "login" });
  return next;
}

async function forget(byServer: boolean): Promise<void> {
  await vault.clear(); // Drafts, too: the next user of this browser may be another person.
  take(undefined);
  expired.value = byServer;
  tell({ type: "logout", expired: byServer });
}

// Refreshes unless another tab has done so meanwhile.
function refresh(refused: string): Promise<Kept> {
  return navigator.locks.request("parley-refresh", async () => {
    const now = await vault.get<Kept>(KEY);
    if (!now) throw new LoggedOut();
    if (now.access_token !== refused) {
      take(now);
      return now;
    }
    try {
      return await keep(await calls.auth.refresh(await clientToken(), now.refresh_token));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      await forget(true);
      throw new LoggedOut();
    }
  });
}

useTokens({
  async current() {
    if (!kept) throw new LoggedOut();
    if (kept.stale_at > Date.now()) return kept.access_token;
    return (await refresh(kept.access_token)).access_token;
  },
  async renew(refused) {
    return (await refresh(refused)).access_token;
  },
});

export function label(): string {
  const agent = navigator.userAgent;
  const name = ["Firefox", "Edg", "Chrome", "Safari"].find((each) => agent.includes(`${each}/`)); // The name of Edge contains Chrome, and both contain Safari.
  const browser = name?.replace("Edg", "Edge") ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? "";
  return `${browser}${system && ` · ${system.replace("Mac OS X", "macOS")}`}`;
}

// A link was opened in a browser that has a login, or another tab has logged in while this one was at the
// provider: that login ends, and its drafts are removed, because they may belong to another person.
export async function replaceLogin(next: Login): Promise<void> {
  if (kept) await logOut();
  await keep(next);
}

export async function logIn(username: string, password: string, code: string): Promise<void> {
  await keep(await calls.auth.login(await clientToken(), { username, password, label: label(), ...(code && { code }) }));
}

export async function setUp(setup_code: string, username: string, password: string): Promise<void> {
  await keep(await calls.auth.setup(await clientToken(), { setup_code, username, password }));
  if (settings.value) settings.value = { ...settings.value, needs_setup: false };
}

export async function acceptInvitation(code: string, password: string): Promise<void> {
  await replaceLogin(await calls.auth.accept(await clientToken(), code, password));
}

export async function resetPassword(reset_code: string, password: string, code: string): Promise<void> {
  await replaceLogin(await calls.auth.reset(await clientToken(), { reset_code, password, ...(code && { code }) }));
}

// This browser forgets the login even if the server cannot be reached.
export async function logOut(): Promise<void> {
  await calls.auth.logout().catch(() => undefined);
  await forget(false);
}

export async function noteUser(next: User): Promise<void> {
  if (!kept) return;
  const changed = { ...kept, user: next };
  await vault.set(KEY, changed);
  take(changed);
  tell({ type: "login" });
}

export async function start(): Promise<void> {
  hear("login", async () => take(await vault.get<Kept>(KEY)));
  hear("logout", (message) => {
    take(undefined);
    expired.value = message.expired;
  });
  void calls.appSettings().then((found) => (settings.value = found)).catch(() => undefined);
  take(await vault.get<Kept>(KEY));
  started.value = true;
}

// Whether a login of the list is this browser's: the list has the beginning and the end of its token.
export const isThisLogin = (hint: string): boolean => {
  const [begin, end] = hint.split("…");
  return !!begin && !!end && !!kept?.access_token.startsWith(begin) && kept.access_token.endsWith(end);
};

export const isOperator = () => user.value?.role === "operator";
