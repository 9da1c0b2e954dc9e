// Logins at the OpenID provider of the server. This tab keeps the attempt while the browser is at the provider: a code that
// another person has sent as a link finds no attempt here, and begins no login.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import { clientToken, label, replaceLogin } from "./login";

const KEY = "parley-attempt";

// The parameters that the provider has added to the address of this page.
export type Returned = { code: string; state: string; iss: string | null } | { refused: string };

export const arriving = signal(false); // A code is being exchanged.
export const arrivalError = signal<unknown>(null);
export const refusedByProvider = signal<string | null>(null); // Its error code; may be empty.

// Null if the address is not one that a provider sends browsers to.
export function returnedIn(search: string): Returned | null {
  const found = new URLSearchParams(search);
  const [code, state, error] = [found.get("code"), found.get("state"), found.get("error")];
  if (!state) return null;
  if (code) return { code, state, iss: found.get("iss") };
  // Any text could be in a link, and would be shown.
  if (error !== null) return { refused: /^[a-z_]{1,40}$/.test(error) ? error : "" };
  return null;
}

export async function goToProvider(): Promise<void> {
  const begun = await calls.auth.beginAtProvider(await clientToken());
  sessionStorage.setItem(KEY, begun.attempt);
  location.assign(begun.url);
  await new Promise(() => undefined); // The page is being left.
}

// Finishes a login if the provider has sent the browser back here. The code leaves the address first, so that neither the
// history nor a copied link has it.
export async function arrive(): Promise<void> {
  const returned = returnedIn(location.search);
  if (!returned) return;
  history.replaceState(null, "", location.pathname + location.hash);
  const attempt = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!attempt) return;
  if ("refused" in returned) {
    refusedByProvider.value = returned.refused;
    return;
  }
  arriving.value = true;
  try {
    const { code, state, iss } = returned;
    await replaceLogin(await calls.auth.finishAtProvider(await clientToken(), { attempt, code, state, label: label(), ...(iss && { iss }) }));
  } catch (error) {
    arrivalError.value = error;
  } finally {
    arriving.value = false;
  }
}
