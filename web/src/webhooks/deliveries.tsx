// The deliveries of a webhook, newest first, with their attempts.
import { useEffect, useRef, useState } from "preact/hooks";
import { deliveries, type Delivery, type DeliveryAttempt, type Webhook } from "../api/webhooks";
import { fits, typeText } from "../events/types";
import { ListFoot } from "../pages/list_parts";
import { useListing, type Listing } from "../pages/listing";
import { hear } from "../tabs/channel";
import { formatNumber, formatTime, words } from "../text";
import { wordsOf } from "../ui/errors";
import { Select } from "../ui/form";
import { toast } from "../ui/toasts";
import { StatusBadge } from "./state";

const SOON = 1_000; // An event becomes a delivery shortly after it was logged.
const BETWEEN = 2_000; // Requests count against the user's limits.
const MOST_FETCHED = 2;
const LONGEST = 600_000; // Later attempts are not waited for.

// "HTTP 204, 12 ms", "Connection refused, 3 ms".
function outcomeOf({ status, error, duration_ms }: DeliveryAttempt): string {
  const t = words().webhooks;
  const end = error ? t.errors[error] ?? error : status !== null ? t.answered(status) : "";
  return [end, t.took(formatNumber(duration_ms))].filter(Boolean).join(", ");
}

function Attempts({ attempts }: { attempts: DeliveryAttempt[] }) {
  const t = words().webhooks;
  return (
    <details class="more">
      <summary>{t.attempts(attempts.length)}</summary>
      <ol class="attempts">{attempts.map((attempt) => (
        <li key={attempt.at}>
          <p><time dateTime={attempt.at}>{formatTime(attempt.at)}</time>: {outcomeOf(attempt)}</p>
          {attempt.response && <pre class="sent" aria-label={t.response}>{attempt.response}</pre>}
        </li>
      ))}</ol>
    </details>
  );
}

function Row({ delivery, redeliver }: { delivery: Delivery; redeliver: () => Promise<unknown> }) {
  const t = words().webhooks;
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await redeliver().catch((error: unknown) => toast(wordsOf(error)));
    setBusy(false);
  };
  const last = delivery.attempts.at(-1);
  const time = formatTime(delivery.created_at);
  const next = delivery.next_attempt_at && last ? t.nextAttempt(formatTime(delivery.next_attempt_at)) : t.soon;
  return (
    <li>
      <div class="row-words">
        <p>{typeText(delivery.event_type)}<StatusBadge status={delivery.status} /></p>
        <p class="fine"><time dateTime={delivery.created_at}>{time}</time>{last && ` · ${outcomeOf(last)}`}</p>
        {delivery.status === "pending" && <p class="fine">{next}</p>}
        {last && <Attempts attempts={delivery.attempts} />}
      </div>
      <div class="row-actions">
        {delivery.status !== "pending" && <button type="button" class="quiet" disabled={busy} aria-label={`${t.redeliver}: ${time}`} onClick={() => void press()}>{t.redeliver}</button>}
      </div>
    </li>
  );
}

// Deliveries have no events of their own: those that are due are fetched until they have been tried.
function useAttempts(listing: Listing<Delivery>, fetchOne: (id: string) => Promise<unknown>): void {
  const [round, setRound] = useState(0);
  const pending = listing.rows.filter(({ status }) => status === "pending");
  const dueOf = ({ next_attempt_at: next }: Delivery) => (next ? Date.parse(next) : 0);
  useEffect(() => {
    if (!pending.length || listing.loading) return undefined;
    const wait = Math.max(BETWEEN, Math.min(...pending.map(dueOf)) - Date.now() + SOON);
    if (wait > LONGEST) return undefined;
    const timer = setTimeout(() => {
      const due = pending.filter((delivery) => dueOf(delivery) <= Date.now());
      if (due.length > MOST_FETCHED) listing.reload();
      else void Promise.all(due.map(({ id }) => fetchOne(id))).then(() => setRound(round + 1));
    }, wait);
    return () => clearTimeout(timer);
  }, [round, listing.loading, pending.map(({ id, next_attempt_at }) => `${id} ${next_attempt_at}`).join()]);
}

// Calls back soon after events that this webhook sends, once for several.
function useEvents(types: string[], heard: () => void): void {
  const now = useRef(heard);
  now.current = heard;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = hear("logged", ({ events }) => {
      if (!events.some(({ type }) => fits(types, type))) return;
      timer ??= setTimeout(() => { timer = undefined; now.current(); }, SOON);
    });
    return () => { clearTimeout(timer); end(); };
  }, [types.join()]);
}

interface Props {
  webhook: Webhook;
  changed: () => void; // Something was delivered, or failed.
  refreshed: (reload: () => void) => void; // Gives away how the list is fetched again.
}

export function Deliveries({ webhook, changed, refreshed }: Props) {
  const t = words().webhooks;
  const [status, setStatus] = useState("");
  const { id, event_types } = webhook;
  const listing = useListing<Delivery>((after) => deliveries.list(id, after, status), `${id} ${status}`);
  const put = (one: Delivery) => listing.change((all) => all.map((each) => (each.id === one.id ? one : each)));
  useAttempts(listing, (delivery) => deliveries.get(id, delivery).then(put, () => undefined));
  useEvents(event_types, listing.reload);
  refreshed(listing.reload);
  const tried = listing.rows.map(({ attempts }) => attempts.length).join();
  useEffect(() => { if (tried) changed(); }, [tried]);
  const redeliver = async (delivery: Delivery) => {
    put(await deliveries.redeliver(id, delivery.id));
    toast(t.redelivered);
  };
  return (
    <section class="ledger" aria-label={t.deliveries}>
      <div class="ledger-head">
        <h2>{t.deliveries}</h2>
        <Select label={t.filter} name="status" value={status} onChange={setStatus} options={[["", t.anyStatus], ...Object.entries(t.status)]} />
      </div>
      {listing.rows.length > 0 && <ul class="rows runs">{listing.rows.map((delivery) => <Row key={delivery.id} delivery={delivery} redeliver={() => redeliver(delivery)} />)}</ul>}
      <ListFoot listing={listing} empty={t.noDeliveries} />
    </section>
  );
}
