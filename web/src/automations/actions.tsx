// What can be done with an automation: run it now, pause, resume, edit, delete.
import { useState } from "preact/hooks";
import { automations, type Automation, type AutomationRun, type Payload } from "../api/automations";
import { Confirm } from "../pages/list_parts";
import { newKey } from "../sessions/drafts";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { wordsOf } from "../ui/errors";
import { Field, Form, textOfField } from "../ui/form";
import { Dots, Pause, Pencil, Play, Trash } from "../ui/icons";
import { MenuButton } from "../ui/menu";
import { automationLink, go } from "../ui/route";
import { toast } from "../ui/toasts";
import { payloadOf } from "./template";

export interface Changed {
  changed: (automation: Automation) => void;
  removed: (id: string) => void;
  started?: (run: AutomationRun) => void;
}

interface Props extends Changed {
  automation: Automation;
}

// Values for the variables of one run.
function RunDialog({ automation, close, run }: { automation: Automation; close: () => void; run: (values: Payload) => Promise<unknown> }) {
  const t = words().automations;
  const submit = async (fields: FormData) => {
    await run(payloadOf(automation.variables, ({ name }) => textOfField(fields, name) || undefined));
    close();
  };
  return (
    <Dialog title={t.runTitle(automation.name)} close={close}>
      <Form button={t.runNow} cancel={close} submit={submit} fields={(problem) => automation.variables.map(({ name, pointer: place, default: fallback, required }, at) => (
        <Field key={name} label={name} name={name} placeholder={fallback ?? t.noDefault} required={!!required && !fallback} autofocus={at === 0}
               error={problem?.faults.find(({ pointer }) => pointer?.endsWith(place ?? `/${name}`))?.detail} />
      ))} />
    </Dialog>
  );
}

export function RunButton({ automation, started }: Pick<Props, "automation" | "started">) {
  const t = words().automations;
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async (values: Payload) => {
    started?.(await automations.run(automation.id, values, newKey()));
    toast(t.started);
  };
  const press = async () => {
    if (automation.variables.length) return setAsking(true);
    setBusy(true);
    await run({}).catch((error: unknown) => toast(wordsOf(error)));
    setBusy(false);
  };
  return (
    <>
      <button type="button" class="quiet with-icon" disabled={busy} aria-label={`${t.runNow}: ${automation.name}`} onClick={() => void press()}><Play size={16} />{t.runNow}</button>
      {asking && <RunDialog automation={automation} close={() => setAsking(false)} run={run} />}
    </>
  );
}

export function AutomationMenu({ automation, changed, removed }: Props) {
  const t = words().automations;
  const [removing, setRemoving] = useState(false);
  const pause = (paused: boolean) => () => void automations.pause(automation.id, paused).then(changed, (error: unknown) => toast(wordsOf(error)));
  const remove = async () => {
    await automations.remove(automation.id);
    removed(automation.id);
  };
  return (
    <>
      <MenuButton label={t.actions(automation.name)} actions={[
        { name: t.edit, icon: <Pencil />, run: () => go(automationLink(automation.id, "edit")) },
        automation.state === "paused" ? { name: t.resume, icon: <Play />, run: pause(false) } : { name: t.pause, icon: <Pause />, run: pause(true) },
        { name: words().remove, icon: <Trash />, danger: true, run: () => setRemoving(true) },
      ]}><Dots /></MenuButton>
      {removing && <Confirm title={t.removeTitle(automation.name)} lead={t.removeLead} button={words().remove} run={remove} close={() => setRemoving(false)} />}
    </>
  );
}
