// Sends one request to the API: with the token of the login, refreshed if necessary. Errors are of
// two kinds: Problem (the server refused) and Unreachable (no response).
import { signal } from "@preact/signals";
import { noteLimits } from "./limits";
import { LoggedOut, Problem, problemOf, Unreachable } from "./problem";

// The source of tokens; set by auth/.
export interface TokenSource {
  current(): Promise<string>;
  renew(refused: string): Promise<string>; // Another token than the refused one; throws LoggedOut if there is none.
}

let tokens: TokenSource = {
  current: () => Promise.reject(new LoggedOut()),
  renew: () => Promise.reject(new LoggedOut()),
};

export function useTokens(source: TokenSource): void {
  tokens = source;
}

// Whether the last request got a response. The app shows it if not.
export const reachable = signal(true);

const PROBE = 2_000;

// Checks until the server responds again, because not all failed requests are repeated.
function lost(): void {
  if (!reachable.value) return;
  reachable.value = false;
  const probe = async () => {
    if (reachable.value) return;
    try {
      reachable.value = (await fetch("app.json", { cache: "no-store", credentials: "omit" })).ok;
    } catch {
      // Still unreachable.
    }
    if (!reachable.value) setTimeout(() => void probe(), PROBE);
  };
  setTimeout(() => void probe(), PROBE);
}

export interface Options {
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
  token?: string; // Instead of the login's.
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
}

// Paths are relative to the page, so that the app works under any path of a proxy.
function address(path: string, query: Options["query"]): string {
  const url = new URL(path, document.baseURI.replace(/#.*/, ""));
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
  return url.href;
}

async function send(method: string, path: string, token: string, options: Options): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, ...options.headers };
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "omit", redirect: "error" };
  if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  if (options.signal) init.signal = options.signal;
  if (options.keepalive) init.keepalive = true;
  try {
    const response = await fetch(address(path, options.query), init);
    reachable.value = true;
    noteLimits(response);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    lost();
    throw new Unreachable(String(error));
  }
}

// The response itself, for streams. Throws for every other status than success.
export async function open(method: string, path: string, options: Options = {}): Promise<Response> {
  const token = options.token ?? (await tokens.current());
  let response = await send(method, path, token, options);
  if (response.status === 401 && !options.token)
    response = await send(method, path, await tokens.renew(token), options);
  if (!response.ok) throw await problemOf(response);
  return response;
}

export async function call<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const response = await open(method, path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable(String(error)); // The connection broke during the response.
  }
}

// Retries until a response arrives. Only for requests that may be repeated: reads, and requests with
// a key.
export async function persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      const passing = error instanceof Unreachable || (error instanceof Problem && error.code === "shutting_down");
      if (!passing || signal?.aborted) throw error;
      await pause(wait, signal);
    }
  }
}

// Waits, but at most until the network is back.
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    signal?.addEventListener("abort", done);
  });
}
