// The pages before the app: set-up of the first operator, an invitation, a new password, or a login.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { acceptInvitation, expired, logIn, resetPassword, setUp, settings, user } from "../auth/login";
import { arrivalError, arriving, goToProvider, refusedByProvider } from "../auth/provider";
import { chooseLanguage, language, LANGUAGES, words, type Language } from "../text";
import { ErrorNote } from "../ui/errors";
import { Field, Form, PasswordField, textOfField } from "../ui/form";
import { Info, Logo } from "../ui/icons";
import { replace } from "../ui/route";
import { toast } from "../ui/toasts";

function Entrance({ title, lead, children }: { title: string; lead: string; children: ComponentChildren }) {
  const t = words();
  return (
    <main class="entrance">
      <div class="entrance-card">
        <Logo size={44} />
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
      </div>
      <footer class="entrance-foot">
        <a href="docs">{t.reference}</a>
        <select aria-label={t.languageLabel} onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => <option key={tag} value={tag} selected={tag === language.value}>{name}</option>)}
        </select>
      </footer>
    </main>
  );
}

// An e-mail address or a web address becomes a link; anything else is shown as it is.
function Contact({ contact }: { contact: string }) {
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return <a href={`mailto:${contact}`}>{contact}</a>;
  if (/^https?:\/\//.test(contact)) return <a href={contact} rel="noopener noreferrer">{contact}</a>;
  return <>{contact}</>;
}

// A request that may need a code: the field for it appears when the server asks.
function useCode() {
  const [needed, setNeeded] = useState(false);
  useLayoutEffect(() => {
    if (needed) document.querySelector<HTMLInputElement>("input[name=code]")?.focus();
  }, [needed]);
  // False if the code is still missing.
  const attempt = async (request: () => Promise<unknown>): Promise<boolean> => {
    try {
      await request();
      return true;
    } catch (error) {
      if (needed || !(error instanceof Problem) || error.code !== "second_factor_required") throw error;
      setNeeded(true);
      return false;
    }
  };
  const field = needed && <Field label={words().accounts.code} name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck={false} required maxLength={64}
                                 hint={`${words().accounts.codeNeeded} ${words().accounts.codeHint}`} />;
  return { attempt, field };
}

// The way to the provider, and how the last way back ended.
function Provider({ name }: { name: string }) {
  const t = words().accounts;
  const [failed, setFailed] = useState<unknown>(null);
  const leave = async () => {
    setFailed(null);
    arriving.value = true;
    arrivalError.value = refusedByProvider.value = null;
    try {
      await goToProvider();
    } catch (error) {
      setFailed(error);
      arriving.value = false;
    }
  };
  const problem = failed ?? arrivalError.value;
  return (
    <>
      {refusedByProvider.value !== null && <div class="note" role="alert"><Info /><p>{t.providerRefused(refusedByProvider.value)}</p></div>}
      {problem !== null && <ErrorNote error={problem} />}
      <button type="button" class="quiet" disabled={arriving.value} aria-busy={arriving.value} onClick={() => void leave()}>{t.logInWith(name)}</button>
      <p class="fine center">{t.orWithPassword}</p>
    </>
  );
}

export function LoginPage() {
  const t = words();
  const known = settings.value;
  const [asked, setAsked] = useState(false);
  const code = useCode();
  if (known?.needs_setup && !asked)
    return (
      <Entrance title={t.setupTitle} lead={t.needsSetup}>
        <p class="fine"><button type="button" class="link" onClick={() => setAsked(true)}>{t.haveAccount}</button></p>
      </Entrance>
    );
  return (
    <Entrance title={t.welcomeBack} lead={t.loginLead}>
      {expired.value && <div class="note" role="status"><Info /><p>{t.loginExpired}</p></div>}
      {known?.login_provider && <Provider name={known.login_provider} />}
      <Form button={t.logIn} submit={(fields) => code.attempt(() => logIn(textOfField(fields, "username"), textOfField(fields, "password"), textOfField(fields, "code")))}
            fields={() => <>
              <Field label={t.username} name="username" autocomplete="username" autocapitalize="off" spellcheck={false} required maxLength={128} autofocus />
              <PasswordField label={t.password} name="password" autocomplete="current-password" required />
              {code.field}
            </>} />
      {known?.contact && <p class="fine center">{t.askForAccount} <Contact contact={known.contact} />.</p>}
    </Entrance>
  );
}

export function SetupPage({ code }: { code: string }) {
  const t = words();
  const submit = async (fields: FormData) => {
    await setUp(code, textOfField(fields, "username"), textOfField(fields, "password"));
    replace("#/chat"); // The code is used up.
  };
  return (
    <Entrance title={t.setupTitle} lead={t.setupLead}>
      <Form button={t.setupButton} submit={submit} shownInFields={["username", "password"]} fields={(problem) => <>
        <Field label={t.username} name="username" autocomplete="username" autocapitalize="off" spellcheck={false} required maxLength={128}
               error={problem?.faultOf("username")} autofocus />
        <PasswordField label={t.password} name="password" autocomplete="new-password" required minLength={8} hint={t.passwordHint}
                       error={problem?.faultOf("password")} />
      </>} />
      {settings.value?.needs_setup === false && <p class="fine center"><button type="button" class="link" onClick={() => replace("#/chat")}>{t.differentServer}</button></p>}
    </Entrance>
  );
}

export function InvitePage({ code }: { code: string }) {
  const t = words();
  const submit = async (fields: FormData) => {
    await acceptInvitation(code, textOfField(fields, "password"));
    replace("#/chat");
    toast(t.invitedAs(user.value?.username ?? ""), 15_000);
  };
  return (
    <Entrance title={t.inviteTitle} lead={t.inviteLead}>
      <Form button={t.inviteButton} submit={submit} shownInFields={["password"]} fields={(problem) =>
        <PasswordField label={t.newPassword} name="password" autocomplete="new-password" required minLength={8} hint={t.passwordHint}
                       error={problem?.faultOf("password")} autofocus />} />
      <p class="fine center"><button type="button" class="link" onClick={() => replace("#/chat")}>{t.differentServer}</button></p>
    </Entrance>
  );
}

export function ResetPage({ code }: { code: string }) {
  const t = words();
  const factor = useCode();
  const submit = async (fields: FormData) => {
    if (!(await factor.attempt(() => resetPassword(code, textOfField(fields, "password"), textOfField(fields, "code"))))) return;
    replace("#/chat");
    toast(t.accounts.resetDone(user.value?.username ?? ""), 15_000);
  };
  return (
    <Entrance title={t.accounts.resetTitle} lead={t.accounts.resetLead}>
      <Form button={t.accounts.resetButton} submit={submit} shownInFields={["password"]} fields={(problem) => <>
        <PasswordField label={t.newPassword} name="password" autocomplete="new-password" required minLength={8} hint={t.passwordHint}
                       error={problem?.faultOf("password")} autofocus />
        {factor.field}
      </>} />
      <p class="fine center"><button type="button" class="link" onClick={() => replace("#/chat")}>{t.differentServer}</button></p>
    </Entrance>
  );
}
