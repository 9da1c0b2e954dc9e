// The user's own second factor: codes of an authenticator app.
import { useMemo, useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { TotpEnrolment } from "../api/types";
import { noteUser, user } from "../auth/login";
import { qrCode } from "../auth/qr";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { wordsOf } from "../ui/errors";
import { Field, Form, PasswordField, textOfField } from "../ui/form";
import { toast } from "../ui/toasts";
import { Secret } from "./list_parts";

type Open = { what: "password" | "disable" | "renew" } | { what: "confirm"; enrolment: TotpEnrolment } | { what: "codes"; codes: string[] };

const noteFactor = async (second_factor: boolean) => {
  if (user.value) await noteUser({ ...user.value, second_factor });
};

function PasswordDialog({ close, next }: { close: () => void; next: (made: TotpEnrolment) => void }) {
  const t = words();
  return (
    <Dialog title={t.accounts.setUpFactor} close={close}>
      <Form button={t.accounts.next} cancel={close} shownInFields={["password"]} submit={async (fields) => next(await calls.totp.enrol(textOfField(fields, "password")))}
            fields={(problem) => <PasswordField label={t.currentPassword} name="password" autocomplete="current-password" required error={problem?.faultOf("password")} autofocus />} />
    </Dialog>
  );
}

// Nothing if the text is too long: the key can be typed.
function QrCode({ text, label }: { text: string; label: string }) {
  const matrix = useMemo(() => qrCode(text), [text]);
  if (!matrix) return null;
  const path = matrix.flatMap((row, r) => row.map((dark, c) => (dark ? `M${c} ${r}h1v1h-1z` : ""))).join("");
  const size = matrix.length;
  return <svg class="qr" role="img" aria-label={label} viewBox={`-4 -4 ${size + 8} ${size + 8}`} shape-rendering="crispEdges"><path d={path} /></svg>;
}

function ConfirmDialog({ enrolment, close, next }: { enrolment: TotpEnrolment; close: () => void; next: (codes: string[]) => void }) {
  const t = words();
  const submit = async (fields: FormData) => {
    const { recovery_codes } = await calls.totp.confirm(textOfField(fields, "code"));
    await noteFactor(true);
    next(recovery_codes);
  };
  return (
    <Dialog title={t.accounts.setUpFactor} close={close}>
      <p>{t.accounts.scanCode}</p>
      <QrCode text={enrolment.uri} label={t.accounts.qrCode} />
      <Secret text={enrolment.secret} lead={t.accounts.typeKey} />
      <p><a href={enrolment.uri}>{t.accounts.openApp}</a></p>
      <Form button={t.accounts.confirm} cancel={close} submit={submit} shownInFields={["code"]} fields={(problem) =>
        <Field label={t.accounts.code} name="code" autocomplete="one-time-code" inputMode="numeric" required maxLength={64} hint={t.accounts.codeOfApp} error={problem?.faultOf("code")} />} />
    </Dialog>
  );
}

function OwnerDialog({ title, button, lead, close, run }: { title: string; button: string; lead: string; close: () => void; run: (password: string, code: string) => Promise<unknown> }) {
  const t = words();
  return (
    <Dialog title={title} close={close}>
      <p class="lead">{lead}</p>
      <Form button={button} cancel={close} shownInFields={["password", "code"]} submit={(fields) => run(textOfField(fields, "password"), textOfField(fields, "code"))} fields={(problem) => <>
        <PasswordField label={t.currentPassword} name="password" autocomplete="current-password" required error={problem?.faultOf("password")} autofocus />
        <Field label={t.accounts.code} name="code" autocomplete="one-time-code" required maxLength={64} hint={t.accounts.codeHint} error={problem?.faultOf("code")} />
      </>} />
    </Dialog>
  );
}

export function SecondFactor() {
  const t = words();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const showCodes = (codes: string[]) => setOpen({ what: "codes", codes });
  const showLeft = () => void calls.totp.state().then((state) => toast(t.accounts.codesLeft(state.recovery_codes_left)), (error) => toast(wordsOf(error)));
  return (
    <section class="card">
      <h2>{t.accounts.factor}</h2>
      <p class="lead">{user.value?.second_factor ? t.accounts.factorOn : t.accounts.factorOff}</p>
      {user.value?.second_factor ? (
        <div class="buttons">
          <button type="button" class="quiet" onClick={showLeft}>{t.accounts.howManyLeft}</button>
          <button type="button" class="quiet" onClick={() => setOpen({ what: "renew" })}>{t.accounts.newCodes}</button>
          <button type="button" class="quiet danger" onClick={() => setOpen({ what: "disable" })}>{t.accounts.disableFactor}</button>
        </div>
      ) : <div class="buttons"><button type="button" class="primary" onClick={() => setOpen({ what: "password" })}>{t.accounts.setUpFactor}</button></div>}
      {open?.what === "password" && <PasswordDialog close={close} next={(enrolment) => setOpen({ what: "confirm", enrolment })} />}
      {open?.what === "confirm" && <ConfirmDialog enrolment={open.enrolment} close={close} next={showCodes} />}
      {open?.what === "renew" && <OwnerDialog title={t.accounts.newCodes} button={t.accounts.newCodes} lead={t.accounts.newCodesLead} close={close}
        run={async (password, code) => showCodes((await calls.totp.renew(password, code)).recovery_codes)} />}
      {open?.what === "disable" && <OwnerDialog title={t.accounts.disableFactor} button={t.accounts.disableFactor} lead={t.accounts.disableFactorLead} close={close}
        run={async (password, code) => { await calls.totp.disable(password, code); await noteFactor(false); close(); }} />}
      {open?.what === "codes" && (
        <Dialog title={t.accounts.recoveryCodes} close={close}>
          <Secret text={open.codes.join("\n")} lead={t.accounts.recoveryCodesLead} />
          <div class="buttons"><button type="button" class="quiet" onClick={close}>{t.done}</button></div>
        </Dialog>
      )}
    </section>
  );
}
