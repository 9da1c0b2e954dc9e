// Instructions, model and style of answers of one conversation. Before its first question they are
// kept in memory; then they belong to the session.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as calls from "../api/calls";
import type { Preset } from "../sessions/ask";
import type { Chat } from "../sessions/chat";
import { KNOBS, RANGES, RARE, samplingOf, USUAL, withSampling, type Knob, type Sampling } from "../sessions/sampling";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { Field, Form, Select, TextArea, textOfField } from "../ui/form";
import { defaultModel, loadModels, models } from "./models";

function samplingIn(fields: FormData): Sampling {
  return samplingOf(Object.fromEntries(KNOBS.map((knob) => [knob, textOfField(fields, knob)])));
}

function Knobs({ of, now }: { of: readonly Knob[]; now: Sampling }) {
  const t = words();
  return <>{of.map((knob) => (
    <Field key={knob} label={t[knob]} hint={t[`${knob}Hint`]} name={knob} type="number" inputMode="decimal" placeholder={t.byDefault}
           defaultValue={now[knob]} {...RANGES[knob]} />
  ))}</>;
}

export function ChatSettings({ chat, preset, close }: { chat: Chat; preset: Signal<Preset>; close: () => void }) {
  const t = words();
  useEffect(loadModels, []);
  const session = chat.session.value;
  const now: Preset = session
    ? { instructions: session.instructions ?? "", model: session.model ?? "", sampling: samplingOf(session.metadata) }
    : preset.value;
  const submit = async (fields: FormData) => {
    const next = { instructions: textOfField(fields, "instructions").trim(), model: textOfField(fields, "model"), sampling: samplingIn(fields) };
    if (session)
      chat.adopt(await calls.sessions.patch(session.id, {
        instructions: next.instructions,
        ...(next.model && { model: next.model }),
        metadata: withSampling(session.metadata, next.sampling),
        keep: fields.has("keep"),
      }));
    else preset.value = next;
    close();
  };
  const fallback = defaultModel();
  const choices: [string, string][] = [
    ...(session?.model ? [] : [["", fallback ? `${t.modelDefault} (${fallback})` : t.modelDefault] as [string, string]]),
    ...models.value.map((model) => [model.id, model.id] as [string, string]),
  ];
  if (now.model && !choices.some(([id]) => id === now.model)) choices.push([now.model, now.model]);
  return (
    <Dialog title={t.chatSettings} close={close} side>
      <Form button={t.save} cancel={close} submit={submit} fields={() => <>
        <TextArea label={t.instructions} name="instructions" hint={t.instructionsHint} rows={6} dir="auto" defaultValue={now.instructions} />
        <Select label={t.model} name="model" options={choices} value={now.model} />
        {session && <label class="check"><input type="checkbox" name="keep" defaultChecked={session.keep ?? false} /><span>{t.data.keep} <span class="fine">{t.data.keepHint}</span></span></label>}
        <fieldset>
          <legend>{t.sampling}</legend>
          <Knobs of={USUAL} now={now.sampling} />
        </fieldset>
        <details class="more" open={RARE.some((knob) => now.sampling[knob] !== undefined)}>
          <summary>{t.moreSampling}</summary>
          <fieldset aria-label={t.moreSampling}><Knobs of={RARE} now={now.sampling} /></fieldset>
        </details>
      </>} />
    </Dialog>
  );
}
