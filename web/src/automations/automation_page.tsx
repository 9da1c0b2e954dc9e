// One automation: when it asks, what it asks, and its runs.
import { useEffect, useRef, useState } from "preact/hooks";
import { automations, scheduleOf, type Automation, type AutomationRun, type Occurrence } from "../api/automations";
import { Problem } from "../api/problem";
import { Page } from "../pages/page";
import { words } from "../text";
import { ErrorNote } from "../ui/errors";
import { Pencil } from "../ui/icons";
import { automationLink, go } from "../ui/route";
import { AutomationMenu, RunButton } from "./actions";
import { HookCard } from "./hook_card";
import { Ledger } from "./ledger";
import { useAutomationNews } from "./news";
import { Times } from "./preview";
import { scheduleText } from "./schedule";
import { StateBadge } from "./state";
import { automationTabs } from "./tabs";

const SHOWN = 5;

// The next times, fetched again when the automation changes or a time has passed.
function useOccurrences(automation: Automation | null): Occurrence[] {
  const [times, setTimes] = useState<Occurrence[]>([]);
  const due = automation?.state === "active" && automation.next_at;
  useEffect(() => {
    if (!automation || !due) return setTimes([]);
    let current = true;
    automations.occurrences(automation.id, SHOWN).then(({ data }) => { if (current) setTimes(data); }, () => undefined);
    return () => { current = false; };
  }, [automation?.id, automation?.revision, due]);
  return times;
}

function useAutomation(id: string) {
  const [automation, setAutomation] = useState<Automation | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => automations.get(id).then((found) => { setAutomation(found); setError(null); }, setError);
  useEffect(() => void load(), [id]);
  useAutomationNews({
    ids: (news) => news.changed.filter((each) => each === id),
    deleted: (ids) => ids.includes(id) && setError(missing()),
    fetchOne: load,
    fetchAll: load,
  });
  return { automation, error, setAutomation, load };
}

const missing = () => new Problem({ title: "", detail: "", status: 404, code: "not_found", request_id: "" });

export const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

export function MissingPage() {
  const t = words().automations;
  return <Page title={t.missing} lead={t.missingLead} tabs={automationTabs(null)}><p><a href="#/automations">{t.back}</a></p></Page>;
}

function Facts({ automation }: { automation: Automation }) {
  const t = words().automations;
  const times = useOccurrences(automation);
  const sameSession = automation.session.policy === "continue";
  return (
    <section class="card" aria-label={t.when}>
      <p class="schedule-words">{scheduleText(automation.trigger)}<StateBadge automation={automation} /></p>
      {automation.state === "paused" && <p class="fine">{t.pauseReason[automation.pause_reason ?? "user"]}</p>}
      {times.length > 0 && <div><h2 class="small-heading">{t.nextTimes}</h2><Times times={times} zone={scheduleOf(automation.trigger)?.time_zone} /></div>}
      <div><h2 class="small-heading">{t.messageLabel}</h2><p class="sent" dir="auto">{automation.message}</p></div>
      <dl class="facts">
        <div><dt>{words().model}</dt><dd>{automation.model ?? words().modelDefault}</dd></div>
        <div><dt>{t.session}</dt><dd>{sameSession ? t.sessionContinue : t.sessionNew}</dd></div>
        {automation.overlap && <div><dt>{t.overlap}</dt><dd>{t.overlaps[automation.overlap]}</dd></div>}
      </dl>
    </section>
  );
}

export function AutomationPage({ id }: { id: string }) {
  const t = words().automations;
  const { automation, error, setAutomation, load } = useAutomation(id);
  const show = useRef<(run: AutomationRun) => void>(() => undefined);
  if (isMissing(error)) return <MissingPage />;
  if (!automation) return <Page title={t.title} tabs={automationTabs(null)}>{error ? <ErrorNote error={error} retry={() => void load()} /> : <p class="lead">{words().loading}</p>}</Page>;
  return (
    <Page title={automation.name} tabs={automationTabs(null)} action={
      <div class="row-actions">
        <RunButton automation={automation} started={(run) => show.current(run)} />
        <a class="quiet with-icon" href={automationLink(id, "edit")}><Pencil size={16} />{t.edit}</a>
        <AutomationMenu automation={automation} changed={setAutomation} removed={() => go("#/automations")} />
      </div>
    }>
      <HookCard automation={automation} changed={setAutomation} />
      <Facts automation={automation} />
      <Ledger automation={id} started={(put) => { show.current = put; }} />
    </Page>
  );
}
