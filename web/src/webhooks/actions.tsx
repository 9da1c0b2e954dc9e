// What can be done with a webhook: test, edit, disable, enable, replace the secret, replay events, delete.
import { useState } from "preact/hooks";
import { webhooks, type Replay, type Webhook } from "../api/webhooks";
import { RotateDialog, showOnce } from "../automations/secret";
import { Confirm } from "../pages/list_parts";
import { formatNumber, words } from "../text";
import { Dialog } from "../ui/dialog";
import { wordsOf } from "../ui/errors";
import { Field, Form, textOfField } from "../ui/form";
import { Again, Dots, Key, Pause, Pencil, Play, Trash } from "../ui/icons";
import { MenuButton, type Action } from "../ui/menu";
import { go, webhookLink } from "../ui/route";
import { toast } from "../ui/toasts";

export interface Changed {
  changed: (webhook: Webhook) => void;
  removed: (id: string) => void;
  sent?: () => void; // Something was queued for it.
}

interface Props extends Changed {
  webhook: Webhook;
}

const failed = (error: unknown) => toast(wordsOf(error));

export function TestButton({ webhook, sent }: Pick<Props, "webhook" | "sent">) {
  const t = words().webhooks;
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await webhooks.test(webhook.id).then(() => { toast(t.tested); sent?.(); }, failed);
    setBusy(false);
  };
  return <button type="button" class="quiet with-icon" disabled={busy || webhook.state === "disabled"} onClick={() => void press()}><Play size={16} />{t.test}</button>;
}

function ReplayDialog({ webhook, close, sent }: { webhook: Webhook; close: () => void; sent: (() => void) | undefined }) {
  const t = words().webhooks;
  const submit = async (fields: FormData) => {
    const until = textOfField(fields, "until");
    const body: Replay = { after: Number(textOfField(fields, "after")), only_failed: fields.has("only_failed"), ...(until && { until: Number(until) }) };
    const { count } = await webhooks.replay(webhook.id, body);
    close();
    toast(t.replayed(formatNumber(count)));
    sent?.();
  };
  const number = { type: "number", inputMode: "numeric", step: 1, max: 999_999_999_999_999 } as const;
  return (
    <Dialog title={t.replay} close={close}>
      <p>{t.replayLead}</p>
      <Form button={t.replay} cancel={close} submit={submit} shownInFields={["after", "until"]} fields={(problem) => <>
        <Field {...number} label={t.replayAfter} name="after" min={0} required hint={t.replayAfterHint} defaultValue={0} error={problem?.faultOf("after")} autofocus />
        <Field {...number} label={t.replayUntil} name="until" min={1} hint={t.replayUntilHint} error={problem?.faultOf("until")} />
        <label class="check"><input type="checkbox" name="only_failed" defaultChecked /><span>{t.onlyFailed}</span></label>
      </>} />
    </Dialog>
  );
}

export function WebhookMenu({ webhook, changed, removed, sent }: Props) {
  const t = words().webhooks;
  const [open, setOpen] = useState<"remove" | "rotate" | "replay" | null>(null);
  const close = () => setOpen(null);
  const { id, url, state } = webhook;
  const set = (next: Webhook["state"]) => () =>
    void webhooks.setState(id, next).then((now) => { changed(now); toast(next === "active" ? t.enabledNow : t.disabledNow); }, failed);
  const rotate = async (overlap: number) => {
    const made = await webhooks.rotate(id, overlap);
    changed(made);
    showOnce(id, made.secret);
    go(webhookLink(id)); // The secret is shown there.
  };
  const remove = async () => {
    await webhooks.remove(id);
    removed(id);
  };
  const actions: Action[] = [
    { name: words().edit, icon: <Pencil />, run: () => go(webhookLink(id, "edit")) },
    { name: t.rotate, icon: <Key />, run: () => setOpen("rotate") },
    ...(state === "active" ? [
      { name: t.replay, icon: <Again />, run: () => setOpen("replay") },
      { name: t.disable, icon: <Pause />, run: set("disabled") },
    ] : [{ name: t.enable, icon: <Play />, run: set("active") }]),
    { name: words().remove, icon: <Trash />, danger: true, run: () => setOpen("remove") },
  ];
  return (
    <>
      <MenuButton label={words().automations.actions(url)} actions={actions}><Dots /></MenuButton>
      {open === "rotate" && <RotateDialog rotate={rotate} close={close} />}
      {open === "replay" && <ReplayDialog webhook={webhook} close={close} sent={sent} />}
      {open === "remove" && <Confirm title={t.removeTitle(url)} lead={t.removeLead} button={words().remove} run={remove} close={close} />}
    </>
  );
}
