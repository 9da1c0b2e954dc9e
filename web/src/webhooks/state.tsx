// The state of a webhook or a delivery, as a badge.
import type { Delivery, Webhook } from "../api/webhooks";
import { words } from "../text";

export function StateBadge({ webhook }: { webhook: Webhook }) {
  const bad = webhook.state === "disabled" && webhook.disabled_reason !== "user";
  return <span class={bad ? "badge bad" : webhook.state === "active" ? "badge good" : "badge"}>{words().webhooks.state[webhook.state]}</span>;
}

const KINDS = { pending: "", succeeded: "good", failed: "bad" };

export function StatusBadge({ status }: { status: Delivery["status"] }) {
  return <span class={`badge status ${KINDS[status]}`}>{words().webhooks.status[status]}</span>;
}
