// All webhooks of the user: where each sends which events, and how it went.
import { webhooks, type Webhook } from "../api/webhooks";
import { useCurrentListing } from "../automations/news";
import { automationTabs } from "../automations/tabs";
import { listOfTypes } from "../events/types";
import { ListFoot } from "../pages/list_parts";
import { Page } from "../pages/page";
import { formatTime, words } from "../text";
import { Plus } from "../ui/icons";
import { webhookLink } from "../ui/route";
import { WebhookMenu, type Changed } from "./actions";
import { StateBadge } from "./state";

// How the last attempts went; if it is disabled, why.
function Health({ webhook }: { webhook: Webhook }) {
  const t = words().webhooks;
  if (webhook.state === "disabled") return <>{t.disabledReason[webhook.disabled_reason ?? "user"]}</>;
  const { last_success_at: success, last_failure_at: failure } = webhook;
  const failing = failure !== null && (success === null || failure > success);
  return (
    <>
      {success && `${t.lastSuccess}: ${formatTime(success)}`}
      {success && failing && " · "}
      {failing && <span class="failures">{t.lastFailure}: {formatTime(failure)}</span>}
      {!success && !failing && t.noDeliveries}
    </>
  );
}

function Row({ webhook, ...change }: { webhook: Webhook } & Changed) {
  return (
    <li>
      <div class="row-words">
        <p><a class="row-name" href={webhookLink(webhook.id)}>{webhook.url}</a><StateBadge webhook={webhook} /></p>
        {webhook.description && <p dir="auto">{webhook.description}</p>}
        <p class="fine">{listOfTypes(webhook.event_types)}</p>
        <p class="fine"><Health webhook={webhook} /></p>
      </div>
      <div class="row-actions"><WebhookMenu webhook={webhook} {...change} /></div>
    </li>
  );
}

const put = (all: Webhook[], one: Webhook): Webhook[] =>
  all.some(({ id }) => id === one.id) ? all.map((each) => (each.id === one.id ? one : each)) : [one, ...all];

const without = (all: Webhook[], ids: string[]): Webhook[] => all.filter(({ id }) => !ids.includes(id));

export function ListPage() {
  const t = words().webhooks;
  const listing = useCurrentListing<Webhook>(webhooks.list, "webhooks", ({ change }) => ({
    ids: (news) => news.webhooks,
    deleted: (ids) => change((all) => without(all, ids)),
    fetchOne: (id) => webhooks.get(id).then((one) => change((all) => put(all, one)), () => undefined),
  }));
  return (
    <Page title={t.title} lead={t.lead} tabs={automationTabs("webhooks")}
          action={<a class="primary with-icon" href="#/webhooks/new"><Plus size={18} />{t.create}</a>}>
      {listing.rows.length > 0 && (
        <ul class="rows webhooks">{listing.rows.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} changed={(one) => listing.change((all) => put(all, one))}
               removed={(id) => listing.change((all) => without(all, [id]))} />
        ))}</ul>
      )}
      <ListFoot listing={listing} empty={t.none} />
      {!listing.loading && !listing.error && listing.rows.length === 0 && <p class="fine">{t.noneHint}</p>}
    </Page>
  );
}
