// Creates or edits a webhook.
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { webhooks, type Webhook, type WebhookFields } from "../api/webhooks";
import { showOnce } from "../automations/secret";
import { automationTabs } from "../automations/tabs";
import { EventTypeFields } from "../events/type_fields";
import { Page } from "../pages/page";
import { newKey } from "../sessions/drafts";
import { words } from "../text";
import { ErrorNote } from "../ui/errors";
import { Field, Form, Select, textOfField } from "../ui/form";
import { go, webhookLink } from "../ui/route";
import { isMissing, MissingPage } from "./webhook_page";

const START: WebhookFields = { url: "", event_types: ["automation.run.completed", "automation.run.failed"], payload: "thin", ordered: false, description: null };
const BESIDE = ["url", "description", "event_types"];

function fieldsIn(fields: FormData): WebhookFields {
  const event_types = fields.getAll("event_type").map(String);
  if (!event_types.length) {
    const detail = words().webhooks.chooseEvents;
    throw new Problem({ title: detail, detail, status: 422, code: "", request_id: "", errors: [{ pointer: "#/event_types", code: "required", detail }] });
  }
  return {
    url: textOfField(fields, "url").trim(), event_types, payload: textOfField(fields, "payload") as WebhookFields["payload"],
    ordered: fields.has("ordered"), description: textOfField(fields, "description").trim() || null,
  };
}

function WebhookForm({ former, button, cancel, save }: { former: WebhookFields; button: string; cancel: () => void; save: (made: WebhookFields) => Promise<unknown> }) {
  const t = words().webhooks;
  const [given] = useState(former); // What other clients change meanwhile must not replace what is being typed.
  return (
    <div class="automation-form">
      <Form button={button} cancel={cancel} shownInFields={BESIDE} submit={async (fields) => save(fieldsIn(fields))} fields={(problem) => <>
        <Field label={t.url} name="url" type="url" required maxLength={2048} hint={t.urlHint} spellcheck={false} autocapitalize="off" autocomplete="off" placeholder="https://example.com/parley"
               defaultValue={given.url} error={problem?.faultOf("url")} />
        <Field label={t.description} name="description" maxLength={512} autocomplete="off" defaultValue={given.description ?? ""} error={problem?.faultOf("description")} />
        <EventTypeFields chosen={given.event_types} error={problem?.faultUnder("event_types")} />
        <div>
          <Select label={t.payload} name="payload" value={given.payload} options={Object.entries(t.payloads)} />
          <p class="hint">{t.payloadHint}</p>
        </div>
        <div>
          <label class="check"><input type="checkbox" name="ordered" defaultChecked={given.ordered} /><span>{t.ordered}</span></label>
          <p class="hint">{t.orderedHint}</p>
        </div>
      </>} />
    </div>
  );
}

export function NewPage() {
  const t = words().webhooks;
  const key = useRef(newKey()); // A request that is repeated creates one webhook.
  const save = async (made: WebhookFields) => {
    try {
      const { id, secret } = await webhooks.create(made, key.current);
      showOnce(id, secret);
      go(webhookLink(id));
    } catch (error) {
      if (error instanceof Problem) key.current = newKey(); // Nothing was created; the next one differs.
      throw error;
    }
  };
  return (
    <Page title={t.create} tabs={automationTabs(null)}>
      <WebhookForm former={START} button={words().create} cancel={() => go("#/webhooks")} save={save} />
    </Page>
  );
}

export function EditPage({ id }: { id: string }) {
  const t = words().webhooks;
  const [found, setFound] = useState<{ webhook: Webhook; version: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => void webhooks.getToEdit(id).then(setFound, setError);
  useEffect(load, [id]);
  if (isMissing(error)) return <MissingPage />;
  const done = () => go(webhookLink(id));
  return (
    <Page title={t.editTitle} lead={found?.webhook.url ?? ""} tabs={automationTabs(null)}>
      {error !== null && <ErrorNote error={error} retry={() => { setError(null); load(); }} />}
      {found && <WebhookForm former={found.webhook} button={words().save} cancel={done} save={async (made) => { await webhooks.change(id, made, found.version); done(); }} />}
    </Page>
  );
}
