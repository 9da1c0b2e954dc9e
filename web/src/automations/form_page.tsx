// Creates or edits an automation. A preview shows what it would do.
import { useEffect, useRef, useState } from "preact/hooks";
import { automations, type Automation, type Definition } from "../api/automations";
import { Problem } from "../api/problem";
import { defaultModel, loadModels, models } from "../chat/models";
import { Page } from "../pages/page";
import { newKey } from "../sessions/drafts";
import { words } from "../text";
import { ErrorNote } from "../ui/errors";
import { Field, Form, Select, TextArea } from "../ui/form";
import { automationLink, go } from "../ui/route";
import { isMissing, MissingPage } from "./automation_page";
import { definitionOf, EMPTY, isComplete } from "./definition";
import { LimitFields, RunFields, SessionFields, VariableFields } from "./more_fields";
import { Preview } from "./preview";
import { showOnce } from "./secret";
import { automationTabs } from "./tabs";
import { TriggerFields } from "./trigger_fields";
import { ownZone } from "./zoned";

const BESIDE = ["name", "message", "trigger/cron", "trigger/at", "trigger/time_zone", "trigger/every_weeks", "trigger/dedupe_pointer", "trigger/event_types", "trigger", "session/keep", "retry/backoff_s",
  "max_output_tokens", "timeout_s", "output_tokens_per_day"];
const START: Definition = { ...EMPTY, trigger: { type: "schedule", cron: "0 9 * * MON-FRI", time_zone: ownZone() } };

function ModelSelect({ now }: { now: string | null }) {
  const t = words();
  useEffect(loadModels, []);
  const fallback = defaultModel();
  const ids = models.value.map(({ id }) => id);
  const choices: [string, string][] = [["", fallback ? `${t.modelDefault} (${fallback})` : t.modelDefault], ...ids.map((id) => [id, id] as [string, string])];
  if (now && !ids.includes(now)) choices.push([now, now]);
  return <Select label={t.model} name="model" options={choices} value={now ?? ""} />;
}

// What the form does not have must not become an automation without a trigger.
function complete(fields: FormData, made: Definition): Definition {
  if (isComplete(fields, made)) return made;
  const detail = fields.get("kind") === "event" ? words().webhooks.chooseEvents : words().automations.incomplete;
  throw new Problem({ title: detail, detail, status: 422, code: "", request_id: "" });
}

function AutomationForm({ former, button, cancel, save }: { former: Definition; button: string; cancel: () => void; save: (made: Definition) => Promise<unknown> }) {
  const t = words().automations;
  const [fields, setFields] = useState<FormData | null>(null);
  const [given] = useState(former); // What other clients change meanwhile must not replace what is being typed.
  const made = fields && definitionOf(fields, given);
  const parts = (problem: Problem | undefined) => ({ definition: given, fields, problem });
  return (
    <div class="automation-form">
      <Form button={button} cancel={cancel} shownInFields={BESIDE} watch={setFields} submit={async (now) => save(complete(now, definitionOf(now, given)))} fields={(problem) => <>
        <Field label={t.name} name="name" required maxLength={128} autocomplete="off" defaultValue={given.name} error={problem?.faultOf("name")} />
        <TextArea label={t.messageLabel} name="message" required rows={5} dir="auto" hint={t.messageHint} defaultValue={given.message} error={problem?.faultOf("message")} />
        <VariableFields {...parts(problem)} />
        <TriggerFields trigger={given.trigger} fields={fields} problem={problem} />
        <ModelSelect now={given.model} />
        <SessionFields {...parts(problem)} />
        <details class="more" open={!!problem}>
          <summary>{t.more}</summary>
          <fieldset aria-label={t.more}><RunFields {...parts(problem)} /><LimitFields {...parts(problem)} /></fieldset>
        </details>
        {made && <Preview definition={isComplete(fields, made) ? made : null} missing={fields.get("kind") === "event" ? words().webhooks.chooseEvents : t.previewEmpty} />}
      </>} />
    </div>
  );
}

export function NewPage() {
  const t = words().automations;
  const key = useRef(newKey()); // A request that is repeated creates one automation.
  const save = async (made: Definition) => {
    try {
      const created = await automations.create(made, key.current);
      showOnce(created.id, created.hook?.secret);
      go(automationLink(created.id));
    } catch (error) {
      if (error instanceof Problem) key.current = newKey(); // Nothing was created; the next one differs.
      throw error;
    }
  };
  return (
    <Page title={t.create} tabs={automationTabs(null)}>
      <AutomationForm former={START} button={words().create} cancel={() => go("#/automations")} save={save} />
    </Page>
  );
}

export function EditPage({ id }: { id: string }) {
  const t = words().automations;
  const [automation, setAutomation] = useState<Automation | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => void automations.get(id).then(setAutomation, setError);
  useEffect(load, [id]);
  if (isMissing(error)) return <MissingPage />;
  const done = () => go(automationLink(id));
  return (
    <Page title={t.editTitle} lead={automation?.name ?? ""} tabs={automationTabs(null)}>
      {error !== null && <ErrorNote error={error} retry={() => { setError(null); load(); }} />}
      {automation && (
        <AutomationForm former={automation} button={words().save} cancel={done}
                        save={async (made) => { showOnce(id, (await automations.change(id, made, automation.revision)).hook?.secret); done(); }} />
      )}
    </Page>
  );
}
