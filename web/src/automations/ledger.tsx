// The runs of one automation, or of all: how each ended, its conversation, and what can be done about it.
import { useState } from "preact/hooks";
import { automationRuns, type AutomationRun, type AutomationRunStatus } from "../api/automations";
import { ListFoot } from "../pages/list_parts";
import { formatTime, words } from "../text";
import { wordsOf } from "../ui/errors";
import { Select } from "../ui/form";
import { automationLink, chatLink } from "../ui/route";
import { toast } from "../ui/toasts";
import { useCurrentListing } from "./news";
import { StatusBadge } from "./state";

const GOING: AutomationRunStatus[] = ["queued", "running", "waiting"];
const TRIED_AGAIN: AutomationRunStatus[] = ["failed", "skipped", "missed"];

// Why it ended so, or what it waits for.
function reasonOf(run: AutomationRun): string {
  const t = words().automations;
  if (run.status === "skipped") return t.skipped[run.skip_reason ?? ""] ?? "";
  if (run.status === "missed") return run.missed_count ? t.missedMany(run.missed_count) : t.missedOne;
  if (run.status === "failed") return run.error?.detail || run.error?.title || "";
  return run.status === "waiting" && run.next_attempt_at ? t.nextAttempt(formatTime(run.next_attempt_at)) : "";
}

function RunRow({ run, name, put }: { run: AutomationRun; name: string | undefined; put: (run: AutomationRun) => void }) {
  const t = words().automations;
  const [busy, setBusy] = useState(false);
  const act = (request: (id: string) => Promise<AutomationRun>) => async () => {
    setBusy(true);
    await request(run.id).then(put, (error: unknown) => toast(wordsOf(error)));
    setBusy(false);
  };
  const time = formatTime(run.scheduled_for);
  const facts = [t.trigger[run.trigger], run.attempts.length > 1 && t.attempts(run.attempts.length)].filter(Boolean).join(" · ");
  const reason = reasonOf(run);
  return (
    <li>
      <div class="row-words">
        <p><time dateTime={run.scheduled_for}>{time}</time><StatusBadge status={run.status} /></p>
        <p class="fine">{name !== undefined && <><a href={automationLink(run.automation_id)} dir="auto">{name}</a> · </>}{facts}</p>
        {reason && <p class={run.status === "failed" ? "fault" : "fine"} dir="auto">{reason}</p>}
        {run.message && <details class="more"><summary>{t.message}</summary><p class="sent" dir="auto">{run.message}</p></details>}
      </div>
      <div class="row-actions">
        {run.session_id && <a class="quiet" href={chatLink(run.session_id)} aria-label={`${t.openChat}: ${time}`}>{t.openChat}</a>}
        {GOING.includes(run.status) && <button type="button" class="quiet" disabled={busy} aria-label={`${t.cancel}: ${time}`} onClick={() => void act(automationRuns.cancel)()}>{t.cancel}</button>}
        {TRIED_AGAIN.includes(run.status) && <button type="button" class="quiet" disabled={busy} aria-label={`${t.retry}: ${time}`} onClick={() => void act(automationRuns.retry)()}>{t.retry}</button>}
      </div>
    </li>
  );
}

// Newest due time first, as the server sorts them.
function put(all: AutomationRun[], run: AutomationRun, status: string): AutomationRun[] {
  const others = all.filter(({ id }) => id !== run.id);
  if (status && run.status !== status) return others;
  const isNewer = (a: AutomationRun, b: AutomationRun) => a.scheduled_for > b.scheduled_for || (a.scheduled_for === b.scheduled_for && a.id > b.id);
  const at = others.findIndex((other) => isNewer(run, other));
  return at < 0 ? [...others, run] : [...others.slice(0, at), run, ...others.slice(at)];
}

interface Props {
  automation: string | null; // Null: of all automations.
  nameOf?: (automation: string) => string;
  started?: (show: (run: AutomationRun) => void) => void; // Gives away how a new run is shown at once.
}

export function Ledger({ automation, nameOf, started }: Props) {
  const t = words().automations;
  const [status, setStatus] = useState("");
  const listing = useCurrentListing<AutomationRun>((after) => automationRuns.list(automation, after, status), `${automation} ${status}`, ({ change }) => ({
    ids: (news) => news.runs,
    deleted: (ids) => change((all) => all.filter((run) => !ids.includes(run.automation_id))),
    fetchOne: (id) => automationRuns.get(id).then(show, () => undefined),
  }));
  const show = (run: AutomationRun) => {
    if (!automation || run.automation_id === automation) listing.change((all) => put(all, run, status));
  };
  started?.(show);
  return (
    <section class="ledger" aria-label={automation ? t.runs : undefined}>
      <div class="ledger-head">
        {automation && <h2>{t.runs}</h2>}
        <Select label={t.filter} name="status" value={status} onChange={setStatus} options={[["", t.anyStatus], ...Object.entries(t.status)]} />
      </div>
      {listing.rows.length > 0 && <ul class="rows runs">{listing.rows.map((run) => <RunRow key={run.id} run={run} name={nameOf?.(run.automation_id)} put={show} />)}</ul>}
      <ListFoot listing={listing} empty={t.noRuns} />
    </section>
  );
}
