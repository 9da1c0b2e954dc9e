// Webhooks in the API, as far as the app uses them.
import { withKey } from "./automations";
import { call, open } from "./http";
import type { List } from "./types";

const WEBHOOKS = "v1/api/webhooks";

export interface WebhookFields {
  url: string;
  event_types: string[];
  payload: "thin" | "full";
  ordered: boolean;
  description: string | null;
}

export interface Webhook extends WebhookFields {
  id: string;
  state: "active" | "disabled";
  disabled_reason: "user" | "gone" | "failures" | null;
  secret_hint: string;
  secret?: string; // Only in the response that made it.
  last_success_at: string | null;
  last_failure_at: string | null;
  cursor: number; // The number of the last event that was queued for it.
}

export interface DeliveryAttempt {
  at: string;
  status: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
}

export interface Delivery {
  id: string;
  event_type: string;
  status: "pending" | "succeeded" | "failed";
  attempts: DeliveryAttempt[];
  next_attempt_at: string | null;
  created_at: string;
}

export interface Replay {
  after: number;
  until?: number;
  only_failed: boolean;
}

export const webhooks = {
  list: (after: string | null) => call<List<Webhook>>("GET", WEBHOOKS, { query: { after, limit: 100 } }),
  get: (id: string) => call<Webhook>("GET", `${WEBHOOKS}/${id}`),
  // With the version that a later change must name.
  async getToEdit(id: string): Promise<{ webhook: Webhook; version: string }> {
    const response = await open("GET", `${WEBHOOKS}/${id}`);
    return { webhook: (await response.json()) as Webhook, version: response.headers.get("ETag") ?? "*" };
  },
  create: (body: WebhookFields, key: string) => call<Webhook>("POST", WEBHOOKS, { body, headers: withKey(key) }),
  // Fails with 412 if the webhook has changed since this version.
  change: (id: string, body: WebhookFields, version: string) =>
    call<Webhook>("PATCH", `${WEBHOOKS}/${id}`, { body, headers: { "If-Match": version } }),
  setState: (id: string, state: Webhook["state"]) => call<Webhook>("PATCH", `${WEBHOOKS}/${id}`, { body: { state } }),
  remove: (id: string) => call<void>("DELETE", `${WEBHOOKS}/${id}`),
  rotate: (id: string, overlap_s: number) => call<Webhook>("POST", `${WEBHOOKS}/${id}/rotate`, { body: { overlap_s } }),
  test: (id: string) => call<Delivery>("POST", `${WEBHOOKS}/${id}/test`),
  replay: (id: string, body: Replay) => call<{ count: number }>("POST", `${WEBHOOKS}/${id}/replay`, { body }),
};

export const deliveries = {
  list: (webhook: string, after: string | null, status: string) =>
    call<List<Delivery>>("GET", `${WEBHOOKS}/${webhook}/deliveries`, { query: { after, status, limit: 50 } }),
  get: (webhook: string, id: string) => call<Delivery>("GET", `${WEBHOOKS}/${webhook}/deliveries/${id}`),
  redeliver: (webhook: string, id: string) => call<Delivery>("POST", `${WEBHOOKS}/${webhook}/deliveries/${id}/redeliver`),
};
