// The remaining requests of the user, as reported by the last responses.
import { signal } from "@preact/signals";

export interface Left {
  limit: number;
  remaining: number;
  freeAt: number; // When the next request is allowed, by this machine's clock, in milliseconds.
}

export const left = signal<Record<string, Left>>({});

// Until when requests of a class are refused.
export const blockedUntil = signal<Record<string, number>>({});

const POLICY = /"(\w+)";q=(\d+)/;
const STATE = /"(\w+)";r=(\d+)(?:;t=(\d+))?/;

export function parseLimit(policy: string | null, state: string | null, now: number): [string, Left] | undefined {
  const limit = POLICY.exec(policy ?? "");
  const rest = STATE.exec(state ?? "");
  if (!limit || !rest) return undefined;
  return [rest[1]!, { limit: Number(limit[2]), remaining: Number(rest[2]), freeAt: now + Number(rest[3] ?? 0) * 1000 }];
}

export function noteLimits(response: Response): void {
  const now = Date.now();
  const parsed = parseLimit(response.headers.get("RateLimit-Policy"), response.headers.get("RateLimit"), now);
  if (!parsed) return;
  const [name, state] = parsed;
  left.value = { ...left.value, [name]: state };
  if (response.status !== 429) return;
  const seconds = Number(response.headers.get("Retry-After")) || 1;
  blockedUntil.value = { ...blockedUntil.value, [name]: now + seconds * 1000 };
}
