// Forms about one user.
import { useState } from "preact/hooks";
import * as calls from "../api/calls";
import type { Invitation, User } from "../api/types";
import { words } from "../text";
import { Dialog } from "../ui/dialog";
import { Field, Form, PasswordField, Select, textOfField } from "../ui/form";
import { toast } from "../ui/toasts";

export function NewUser({ close, made }: { close: () => void; made: (user: User, invitation: Invitation | undefined) => void }) {
  const t = words();
  const [way, setWay] = useState("link");
  const submit = async (fields: FormData) => {
    const name = textOfField(fields, "display_name").trim();
    const { invitation, ...user } = await calls.users.create({
      username: textOfField(fields, "username").trim(),
      role: textOfField(fields, "role") as User["role"],
      ...(name && { display_name: name }),
      ...(way === "password" && { password: textOfField(fields, "password") }),
    });
    made(user, invitation);
  };
  return (
    <Dialog title={t.addUser} close={close}>
      <Form button={t.create} cancel={close} submit={submit} shownInFields={["username", "display_name", "password"]} fields={(problem) => <>
        <Field label={t.username} name="username" required maxLength={128} autocomplete="off" autocapitalize="off" spellcheck={false} error={problem?.faultOf("username")} autofocus />
        <Field label={t.displayNameOptional} name="display_name" maxLength={128} autocomplete="off" error={problem?.faultOf("display_name")} />
        <Select label={t.role} name="role" value="member" options={[["member", t.member], ["operator", t.operator]]} />
        <Select label={t.howToAdd} name="way" value={way} onChange={setWay} options={[["link", t.inviteByLink], ["password", t.withPassword]]} />
        {way === "password" && <PasswordField label={t.password} name="password" required minLength={8} autocomplete="new-password" hint={t.passwordHint} error={problem?.faultOf("password")} />}
      </>} />
    </Dialog>
  );
}

export function UserLimitsForm({ user, close, changed }: { user: User; close: () => void; changed: (user: User) => void }) {
  const t = words();
  const classes = ["chat", "general"] as const;
  const submit = async (fields: FormData) => {
    const limits = Object.fromEntries(classes.map((name) => [name, Number(textOfField(fields, name)) || null]));
    changed(await calls.users.change(user.id, { limits }));
    close();
  };
  return (
    <Dialog title={`${t.userLimits}: ${user.username}`} close={close}>
      <p class="lead">{t.userLimitsLead}</p>
      <Form button={t.save} cancel={close} submit={submit} fields={() => classes.map((name) => (
        <Field key={name} label={t.limitClass[name]!} name={name} type="number" inputMode="numeric" min={1} max={1000} step={1} placeholder={t.byDefault} defaultValue={user.limits?.[name] ?? undefined} />
      ))} />
    </Dialog>
  );
}

export function UserPasswordForm({ user, close, changed }: { user: User; close: () => void; changed: (user: User) => void }) {
  const t = words();
  const submit = async (fields: FormData) => {
    changed(await calls.users.change(user.id, { password: textOfField(fields, "password") }));
    toast(t.saved);
    close();
  };
  return (
    <Dialog title={`${t.setPassword}: ${user.username}`} close={close}>
      <p class="lead">{t.setPasswordLead}</p>
      <Form button={t.save} cancel={close} submit={submit} shownInFields={["password"]} fields={(problem) =>
        <PasswordField label={t.newPassword} name="password" required minLength={8} autocomplete="new-password" hint={t.passwordHint} error={problem?.faultOf("password")} autofocus />} />
    </Dialog>
  );
}
