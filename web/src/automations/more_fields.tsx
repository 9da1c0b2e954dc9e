// The other fields of the form: variables, conversation, overlaps and retries, limits.
import type { Definition } from "../api/automations";
import type { Problem } from "../api/problem";
import { list } from "../sessions/list";
import { words } from "../text";
import { Field, Select, TextArea } from "../ui/form";
import { hasPayload, isScheduled, kindOf } from "./definition";
import { variablesFor } from "./template";

interface Props {
  definition: Definition; // As it was when the form was opened.
  fields: FormData | null; // The current values.
  problem: Problem | undefined;
}

const kindIn = ({ definition, fields }: Props) => fields?.get("kind") ?? kindOf(definition.trigger);

export function VariableFields(props: Props) {
  const { definition, fields, problem } = props;
  const t = words().automations;
  const w = words().webhooks;
  const message = String(fields?.get("message") ?? definition.message);
  const variables = variablesFor(message, definition.variables);
  if (!variables.length) return null;
  const pointed = hasPayload(kindIn(props));
  const lacking = isScheduled(kindIn(props)) && variables.some(({ name }) => fields?.has(`required ${name}`) && !fields.get(`default ${name}`));
  return (
    <fieldset>
      <legend>{t.variables}</legend>
      {variables.map(({ name, pointer, default: fallback, required }, at) => (
        <div key={name} class="variable">
          {pointed && <Field label={w.pointer(name)} name={`pointer ${name}`} placeholder={`/${name}`} maxLength={1000} hint={at === 0 ? w.pointerHint : undefined} spellcheck={false} autocapitalize="off" autocomplete="off"
                             defaultValue={pointer ?? ""} error={problem?.faultOf(`variables/${at}/pointer`)} />}
          <Field label={t.variableDefault(name)} name={`default ${name}`} placeholder={t.noDefault} defaultValue={fallback ?? ""} />
          <label class="check"><input type="checkbox" name={`required ${name}`} defaultChecked={required ?? false} /><span>{t.variableRequired(name)}</span></label>
        </div>
      ))}
      {lacking && <p class="hint">{t.scheduleNeedsDefault}</p>}
    </fieldset>
  );
}

export function SessionFields({ definition, fields, problem }: Props) {
  const t = words().automations;
  const { session } = definition;
  const policy = fields?.get("policy") ?? session.policy;
  const now = session.policy === "continue" ? session.session_id ?? "" : "";
  const known: [string, string][] = list.value.map(({ id, title }) => [id, title?.trim() || words().untitled]);
  const options: [string, string][] = [["", t.continueFirst], ...(now && !known.some(([id]) => id === now) ? [[now, now] as [string, string]] : []), ...known];
  return (
    <fieldset>
      <legend>{t.session}</legend>
      <Select label={t.uses} name="policy" value={session.policy} options={[["new", t.sessionNew], ["continue", t.sessionContinue]]} />
      {policy === "continue" ? <Select label={t.continueIn} name="session_id" value={now} options={options} /> : (
        <Field label={t.keep} name="keep" type="number" inputMode="numeric" min={1} max={1000} step={1} hint={t.keepHint}
               defaultValue={session.policy === "new" ? session.keep ?? "" : 30} error={problem?.faultOf("session/keep")} />
      )}
    </fieldset>
  );
}

export function RunFields(props: Props) {
  const { definition, fields, problem } = props;
  const t = words().automations;
  const scheduled = isScheduled(kindIn(props));
  const policy = fields?.get("policy") ?? definition.session.policy;
  const usual = scheduled ? t.overlaps.skip : t.overlaps.queue;
  const overlaps: [string, string][] = [
    ["", `${words().byDefault} (${usual})`],
    ...Object.entries(t.overlaps).filter(([name]) => name !== "allow" || policy !== "continue"), // One conversation, one run at a time.
  ];
  return (
    <fieldset>
      <legend class="unseen">{t.overlap}</legend>
      <Select key={String(policy)} label={t.overlap} name="overlap" value={String(fields?.get("overlap") ?? definition.overlap ?? "")} options={overlaps} />
      {scheduled && <Select label={t.catchUp} name="catch_up" value={definition.catch_up} options={Object.entries(t.catchUps)} />}
      <div class="side-by-side">
        <Field label={t.attemptsLabel} name="max_attempts" type="number" inputMode="numeric" min={1} max={10} step={1} required hint={t.attemptsHint} defaultValue={definition.retry.max_attempts} />
        <Field label={t.backoff} name="backoff_s" type="number" inputMode="numeric" min={1} max={3600} step={1} required hint={t.backoffHint} defaultValue={definition.retry.backoff_s} error={problem?.faultOf("retry/backoff_s")} />
      </div>
    </fieldset>
  );
}

export function LimitFields({ definition, problem }: Props) {
  const t = words();
  const a = t.automations;
  const whole = { type: "number", inputMode: "numeric", step: 1 } as const;
  return (
    <>
      <TextArea label={t.instructions} name="instructions" hint={a.instructionsHint} rows={4} dir="auto" defaultValue={definition.instructions ?? ""} />
      <div class="side-by-side">
        <Field {...whole} label={t.max_output_tokens} name="max_output_tokens" min={1} max={32768} defaultValue={definition.max_output_tokens ?? ""} error={problem?.faultOf("max_output_tokens")} />
        <Field label={t.temperature} name="temperature" type="number" inputMode="decimal" min={0} max={2} step="any" placeholder={t.byDefault} defaultValue={definition.temperature ?? ""} />
        <Field {...whole} label={a.timeout} name="timeout_s" min={1} max={86400} placeholder={t.byDefault} defaultValue={definition.timeout_s ?? ""} error={problem?.faultOf("timeout_s")} />
        <Field {...whole} label={a.pauseAfter} name="pause_after_failures" min={1} max={100} hint={a.pauseAfterHint} defaultValue={definition.pause_after_failures ?? ""} />
        <Field {...whole} label={a.budget} name="output_tokens_per_day" min={1} max={1_000_000_000} hint={a.budgetHint} defaultValue={definition.output_tokens_per_day ?? ""} error={problem?.faultOf("output_tokens_per_day")} />
      </div>
    </>
  );
}
