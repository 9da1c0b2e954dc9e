// What starts an automation: a schedule, calls of other programs, events, or the user alone.
import { useEffect, useState } from "preact/hooks";
import { automations, scheduleOf, type EventTrigger, type HookTrigger, type Trigger } from "../api/automations";
import type { Problem } from "../api/problem";
import { EventTypeFields } from "../events/type_fields";
import { list } from "../sessions/list";
import { words } from "../text";
import { Field, Select } from "../ui/form";
import { kindOf, type Kind } from "./definition";
import { RepeatSelect, ScheduleFields } from "./schedule_fields";

interface Props {
  trigger: Trigger | null; // As it was when the form was opened.
  fields: FormData | null; // The current values.
  problem: Problem | undefined;
}

function HookFields({ trigger, fields, problem }: { trigger: HookTrigger | null; fields: FormData | null; problem: Problem | undefined }) {
  const t = words().webhooks;
  const changes = trigger !== null && fields?.has("verify") && fields.get("verify") !== trigger.verify;
  return (
    <>
      <Select label={t.verify} name="verify" value={trigger?.verify ?? "token"} options={Object.entries(t.verifies)} />
      {(!trigger || changes) && <p class="hint">{changes ? t.verifyChanged : t.verifyHint}</p>}
      <Field label={t.dedupe} name="dedupe_pointer" maxLength={1000} hint={t.dedupeHint} spellcheck={false} autocapitalize="off" autocomplete="off"
             defaultValue={trigger?.dedupe_pointer ?? ""} error={problem?.faultOf("trigger/dedupe_pointer")} />
    </>
  );
}

// A choice of one object, or none; one that is not in the list stays.
function Only({ label, any, name, value, known }: { label: string; any: string; name: string; value: string | null; known: [string, string][] }) {
  const unknown: [string, string][] = value && !known.some(([id]) => id === value) ? [[value, value]] : [];
  return <Select label={label} name={name} value={value ?? ""} options={[["", any], ...unknown, ...known]} />;
}

function EventFields({ trigger, problem }: { trigger: EventTrigger | null; problem: Problem | undefined }) {
  const t = words().webhooks;
  const [named, setNamed] = useState<[string, string][]>([]);
  useEffect(() => {
    automations.list(null).then(({ data }) => setNamed(data.map(({ id, name }) => [id, name])), () => undefined);
  }, []);
  const sessions = list.value.map(({ id, title }): [string, string] => [id, title?.trim() || words().untitled]);
  return (
    <>
      <EventTypeFields chosen={trigger?.event_types ?? []} error={problem?.faultUnder("trigger/event_types")} />
      <div class="side-by-side">
        <Only label={t.onlyAutomation} any={t.anyAutomation} name="of_automation" value={trigger?.automation_id ?? null} known={named} />
        <Only label={t.onlySession} any={t.anySession} name="of_session" value={trigger?.session_id ?? null} known={sessions} />
      </div>
      <p class="hint">{t.ownEvents}</p>
    </>
  );
}

export function TriggerFields({ trigger, fields, problem }: Props) {
  const t = words().automations;
  const kind = (fields?.get("kind") ?? kindOf(trigger)) as Kind;
  const kinds: [Kind, string][] = [["none", t.kindNone], ["cron", t.kindCron], ["at", t.kindAt], ["hook", t.kindHook], ["event", t.kindEvent]];
  const schedule = scheduleOf(trigger);
  return (
    <fieldset>
      <legend>{t.when}</legend>
      <div class="side-by-side">
        <Select label={t.starts} name="kind" value={kindOf(trigger)} options={kinds} />
        {kind === "cron" && <RepeatSelect trigger={schedule} />}
      </div>
      {(kind === "cron" || kind === "at") && <ScheduleFields kind={kind} trigger={schedule} fields={fields} problem={problem} />}
      {kind === "hook" && <HookFields trigger={trigger?.type === "hook" ? trigger : null} fields={fields} problem={problem} />}
      {kind === "event" && <EventFields trigger={trigger?.type === "event" ? trigger : null} problem={problem} />}
    </fieldset>
  );
}
