// One webhook: where it sends what, its secret, and its deliveries.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { webhooks, type Webhook } from "../api/webhooks";
import { useAutomationNews } from "../automations/news";
import { FreshSecret } from "../automations/secret";
import { automationTabs } from "../automations/tabs";
import { listOfTypes } from "../events/types";
import { Page } from "../pages/page";
import { formatNumber, formatTime, words } from "../text";
import { ErrorNote } from "../ui/errors";
import { Pencil } from "../ui/icons";
import { go, webhookLink } from "../ui/route";
import { TestButton, WebhookMenu } from "./actions";
import { Deliveries } from "./deliveries";
import { StateBadge } from "./state";

const missing = () => new Problem({ title: "", detail: "", status: 404, code: "not_found", request_id: "" });

export const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

export function MissingPage() {
  const t = words().webhooks;
  return <Page title={t.missing} lead={t.missingLead} tabs={automationTabs(null)}><p><a href="#/webhooks">{t.back}</a></p></Page>;
}

const hostOf = (url: string) => url.replace(/^\w+:\/\//, "").replace(/[/?#].*/, "");

function useWebhook(id: string) {
  const [webhook, setWebhook] = useState<Webhook | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => webhooks.get(id).then((found) => { setWebhook(found); setError(null); }, setError);
  useEffect(() => void load(), [id]);
  useAutomationNews({
    ids: (news) => news.webhooks.filter((each) => each === id),
    deleted: (ids) => ids.includes(id) && setError(missing()),
    fetchOne: load,
    fetchAll: load,
  });
  return { webhook, error, setWebhook, load };
}

function Facts({ webhook }: { webhook: Webhook }) {
  const t = words().webhooks;
  const facts: [string, string][] = [
    [t.payload, t.payloads[webhook.payload]],
    [t.secret, webhook.secret_hint],
    [t.lastEvent, webhook.cursor ? formatNumber(webhook.cursor) : "–"],
    [t.lastSuccess, formatTime(webhook.last_success_at) || words().never],
    [t.lastFailure, formatTime(webhook.last_failure_at) || words().never],
  ];
  return (
    <section class="card" aria-label={t.title}>
      <FreshSecret of={webhook.id} lead={t.secretMade} />
      <p class="schedule-words"><span class="address">{webhook.url}</span><StateBadge webhook={webhook} /></p>
      {webhook.state === "disabled" && <p class="fine">{t.disabledReason[webhook.disabled_reason ?? "user"]}</p>}
      {webhook.description && <p dir="auto">{webhook.description}</p>}
      <div><h2 class="small-heading">{t.events}</h2><p>{listOfTypes(webhook.event_types)}</p></div>
      {webhook.ordered && <p>{t.ordered}</p>}
      <dl class="facts">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
    </section>
  );
}

export function WebhookPage({ id }: { id: string }) {
  const t = words().webhooks;
  const { webhook, error, setWebhook, load } = useWebhook(id);
  const refresh = useRef<() => void>(() => undefined);
  if (isMissing(error)) return <MissingPage />;
  if (!webhook) return <Page title={t.title} tabs={automationTabs(null)}>{error ? <ErrorNote error={error} retry={() => void load()} /> : <p class="lead">{words().loading}</p>}</Page>;
  const sent = () => refresh.current();
  return (
    <Page title={hostOf(webhook.url)} tabs={automationTabs(null)} action={
      <div class="row-actions">
        <TestButton webhook={webhook} sent={sent} />
        <a class="quiet with-icon" href={webhookLink(id, "edit")}><Pencil size={16} />{words().edit}</a>
        <WebhookMenu webhook={webhook} changed={setWebhook} removed={() => go("#/webhooks")} sent={sent} />
      </div>
    }>
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook} changed={() => void load()} refreshed={(reload) => { refresh.current = reload; }} />
    </Page>
  );
}
