// Secrets of hooks and webhooks: each is shown once, after it was made, and can be replaced.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Secret } from "../pages/list_parts";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { Form, Select, textOfField } from "../ui/form";

// The last secret that was made, until its page is left. It is stored nowhere.
const fresh = signal<{ of: string; secret: string } | null>(null);

export function showOnce(of: string, secret: string | undefined): void {
  if (secret) fresh.value = { of, secret };
}

export const freshSecret = (of: string): string | undefined => (fresh.value?.of === of ? fresh.value.secret : undefined);

export function FreshSecret({ of, lead }: { of: string; lead: ComponentChildren }) {
  useEffect(() => () => { fresh.value = null; }, [of]);
  const secret = freshSecret(of);
  return secret ? <div class="fresh-secret" role="status"><Secret key={secret} text={secret} lead={lead} /></div> : null;
}

export function RotateDialog({ rotate, close }: { rotate: (overlap: number) => Promise<unknown>; close: () => void }) {
  const t = words().webhooks;
  const submit = async (fields: FormData) => {
    await rotate(Number(textOfField(fields, "overlap")));
    close();
  };
  return (
    <Dialog title={t.rotate} close={close}>
      <p>{t.rotateLead}</p>
      <Form button={t.rotate} cancel={close} submit={submit} fields={() => <Select label={t.overlap} name="overlap" value="86400" options={Object.entries(t.overlaps)} />} />
    </Dialog>
  );
}
